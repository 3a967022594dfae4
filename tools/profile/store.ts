/**
 * The folder of known profiles: `golden/profiles/<adapter>-<rules' digest>.json`, one for each set
 * of rules that an adapter was ever accepted with.
 *
 * @module
 */
import { EXIT, Failure } from "../exit_codes.ts";
import { namesIn } from "../goldens/files.ts";
import { adapterName } from "../runner/adapter.ts";
import { fileNameOf, type Profile, PROFILE_FORMAT } from "./profile.ts";

/** The repository's own profiles. */
export const PROFILE_FOLDER: URL = new URL("../../golden/profiles/", import.meta.url);

/** Every profile of a folder; none where there is no folder. @throws {Failure} on a damaged one */
export function storedProfiles(folder: URL = PROFILE_FOLDER): Profile[] {
  return namesIn(folder).map(({ name }) => name).filter((name) => name.endsWith(".json")).sort()
    .map((name) => readProfile(new URL(name, folder)));
}

/** The profile in a file. @throws {Failure} where it is not one */
export function readProfile(file: URL): Profile {
  const state = (what: string) =>
    new Failure(
      EXIT.goldens,
      `Cannot read profile ${file.pathname}: ${what}. Restore it (git checkout -- golden/profiles) ` +
        "or make it anew: deno task profile --accept",
    );
  let profile: Partial<Profile> | null;
  try {
    profile = JSON.parse(Deno.readTextFileSync(file));
  } catch (error) {
    throw state((error as Error).message);
  }
  if (profile?.format !== PROFILE_FORMAT) {
    throw state(`its format is ${profile?.format}, and this samebits reads ${PROFILE_FORMAT}`);
  }
  if (!profile.adapter || !profile.rules || !profile.key || !profile.hash) {
    throw state("it lacks its adapter, rules, key or hash");
  }
  return profile as Profile;
}

/** A profile's file in a folder. */
export function profileFile({ adapter, hash }: Profile, folder: URL = PROFILE_FOLDER): URL {
  return new URL(`${fileNameOf(adapterName(adapter))}-${hash}.json`, folder);
}

/** A profile as it is stored. */
export function profileText(profile: Profile): string {
  return `${JSON.stringify(profile, undefined, 1)}\n`;
}
