/**
 * The first release of each official SDK that evaluates variants of strategies and dependencies of flags, by the name
 * under which it reports. An SDK that is not named here is never outdated.
 */
const firstUpToDate: Readonly<Record<string, readonly [major: number, minor: number]>> = {
  'unleash-client-node': [5, 0],
  'unleash-client-java': [9, 0],
  'unleash-client-go': [4, 0],
  'unleash-client-dotnet': [4, 0],
  'unleash-client-python': [5, 9],
  'unleash-client-ruby': [5, 0],
};

/** Returns whether an SDK, given as `name:version`, is outdated; false for an unknown SDK or an invalid version. */
export function isOutdated(sdkVersion: string): boolean {
  const { name, version } = partsOf(sdkVersion);
  const first = Object.hasOwn(firstUpToDate, name) ? firstUpToDate[name] : undefined;
  const [, major, minor] = /^v?(\d{1,9})\.(\d{1,9})/.exec(version) ?? [];
  if (first === undefined || major === undefined) return false;
  return Number(major) < first[0] || (Number(major) === first[0] && Number(minor) < first[1]);
}

/** Splits `name:version`; the version is empty when it is missing. */
export function partsOf(sdkVersion: string): { readonly name: string; readonly version: string } {
  const end = sdkVersion.indexOf(':');
  return end < 0
    ? { name: sdkVersion, version: '' }
    : { name: sdkVersion.slice(0, end), version: sdkVersion.slice(end + 1) };
}
