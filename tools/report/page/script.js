// The page's own script: filters, the list of all checks, copying. It runs in a browser, as it is.
"use strict";

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const FIELDS = 7;
const ROWS_AT_ONCE = 200;
const SIGNS = { pass: "✓", differ: "≠", error: "!", unsupported: "–" };

const cards = [...document.querySelectorAll(".failure")].map((card) => ({
  card,
  kernel: card.dataset.kernel,
  adapter: card.dataset.adapter,
  verdict: card.dataset.verdict,
  text: "",
}));
const form = byId("filters");
let matching = [];
let shown = 0;

function wanted() {
  return {
    text: byId("text").value.trim().toLowerCase(),
    verdict: byId("verdict").value,
    kernel: byId("kernel").value,
    adapter: byId("adapter").value,
  };
}

function matches(filter, one) {
  return (filter.verdict === "" || filter.verdict === one.verdict) &&
    (filter.kernel === "" || filter.kernel === one.kernel) &&
    (filter.adapter === "" || filter.adapter === one.adapter);
}

function apply() {
  const filter = wanted();
  let failing = 0;
  for (const one of cards) {
    if (filter.text !== "") one.text ||= textOf(one.card);
    const isShown = matches(filter, one) && one.text.includes(filter.text);
    one.card.hidden = !isShown;
    if (isShown) failing++;
  }
  const none = byId("unmatched");
  if (none) none.hidden = failing > 0;

  matching = [];
  const all = data.checks.length / FIELDS;
  const isFiltered = Object.values(filter).some((value) => value !== "");
  for (let i = 0; i < all; i++) {
    if (!isFiltered) {
      matching.push(i);
      continue;
    }
    const check = checkAt(i);
    const text = `${check.kernel} ${check.address}`.toLowerCase();
    if (matches(filter, check) && text.includes(filter.text)) matching.push(i);
  }
  byId("shown").textContent = `${failing} of ${cards.length} failing, ` +
    `${matching.length.toLocaleString("en-US")} of ${all.toLocaleString("en-US")} checks`;
  byId("rows").replaceChildren();
  shown = 0;
  if (byId("all").open) showMore();
}

/** What of a card can be searched for: not the numbers in its pictures. */
function textOf(card) {
  const parts = card.querySelectorAll("h3, p, pre, .again code");
  return [...parts].map((part) => part.textContent).join(" ").toLowerCase();
}

/** Puts the pictures of a card in their place. */
function complete(card) {
  const later = card.querySelector("script.later");
  if (!later) return;
  later.insertAdjacentHTML("afterend", later.textContent);
  later.remove();
}

function checkAt(i) {
  const [kernel, adapter, workgroup, address, verdict, words, micros] = data.checks.slice(
    FIELDS * i,
    FIELDS * (i + 1),
  );
  return {
    kernel: data.kernels[kernel],
    adapter: String(adapter),
    workgroup,
    address: data.addresses[address],
    verdict: data.verdicts[verdict],
    words,
    micros,
  };
}

function showMore() {
  const rows = matching.slice(shown, shown + ROWS_AT_ONCE).map((i) => rowOf(checkAt(i)));
  byId("rows").append(...rows);
  shown += rows.length;
  const left = matching.length - shown;
  byId("more").hidden = left <= 0;
  byId("more").textContent = `Show ${Math.min(left, ROWS_AT_ONCE)} more of ${left}`;
}

function rowOf({ kernel, adapter, workgroup, address, verdict, words, micros }) {
  const row = document.createElement("tr");
  const badge = element("span", "");
  badge.className = `badge ${verdict}`;
  const sign = element("span", SIGNS[verdict]);
  sign.setAttribute("aria-hidden", "true");
  badge.append(sign, ` ${verdict}`);
  const ran = verdict === "pass" || verdict === "differ";
  row.append(
    cell(badge),
    cell(kernel),
    number(String(workgroup)),
    cell(breakable(address)),
    cell(data.adapters[Number(adapter)]),
    number(ran ? words.toLocaleString("en-US") : ""),
    number(micros > 0 ? (micros / 1000).toFixed(2) : ""),
  );
  return row;
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** An address that a line may be broken in where a person would. */
function breakable(address) {
  const made = element("code", "");
  for (const part of address.split(/(?<=[,:/])/)) made.append(part, document.createElement("wbr"));
  return made;
}

function cell(content) {
  const made = document.createElement("td");
  made.append(content);
  return made;
}

function number(text) {
  const made = cell(text);
  made.className = "number";
  return made;
}

async function copy(button) {
  const line = button.previousElementSibling;
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(line.textContent);
  } catch {
    // A page from a plain http address has no clipboard: what is selected can be copied by hand.
    getSelection().selectAllChildren(line);
    isCopied = false;
  }
  const before = button.textContent;
  button.textContent = isCopied ? "Copied" : "Selected";
  byId("said").textContent = isCopied ? "Command copied" : "Command selected, copy it by hand";
  setTimeout(() => button.textContent = before, 1500);
}

const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) complete(target);
}, { rootMargin: "1000px" });
for (const { card } of cards) near.observe(card);
addEventListener("beforeprint", () => {
  for (const { card } of cards) complete(card);
});
form.hidden = false;
form.addEventListener("input", apply);
form.addEventListener("reset", () => setTimeout(apply));
form.addEventListener("submit", (event) => event.preventDefault());
byId("more").addEventListener("click", showMore);
byId("all").addEventListener("toggle", () => {
  if (byId("all").open && shown === 0) showMore();
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("button.copy");
  if (button) copy(button);
  const link = event.target.closest("a[data-kernel]");
  if (link) {
    form.reset();
    byId("kernel").value = link.dataset.kernel;
    byId("adapter").value = link.dataset.adapter;
    setTimeout(apply);
  }
});
apply();
