import { compareVersions, parseVersion, type Version } from '@yardarm/evaluation';

/** The first version of the client specification with global segments. */
const withSegments = parseVersion('4.2.0') as Version;

/**
 * Returns whether an SDK of this client specification (header `Unleash-Client-Spec`) reads segments from a list beside
 * the flags: 4.2.0 and newer (docs/spec#sdk-request-headers). Returns false for a header that is not a version: inlined
 * constraints work with every SDK.
 */
export function takesSegments(header: string | undefined): boolean {
  const version = header === undefined ? undefined : parseVersion(header);
  return version !== undefined && compareVersions(version, withSegments) >= 0;
}
