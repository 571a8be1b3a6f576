import { compareVersions, parseVersion, type Version } from '@yardarm/evaluation';

/** The first in which segments stand apart. */
const withSegments = parseVersion('4.2.0') as Version;

/**
 * Returns whether an SDK of this client specification (header `Unleash-Client-Spec`) takes segments apart from the
 * strategies that use them: 4.2.0 and newer (docs/spec#sdk-request-headers). A header that is no version is ignored:
 * the SDK gets what all SDKs read, and still gets its flags.
 */
export function takesSegments(header: string | undefined): boolean {
  const version = header === undefined ? undefined : parseVersion(header);
  return version !== undefined && compareVersions(version, withSegments) >= 0;
}
