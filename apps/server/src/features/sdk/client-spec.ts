import { compareVersions, parseVersion, type Version } from '@yardarm/evaluation';
import { Problem } from '../../kernel/errors.ts';

/** The first in which segments stand apart. */
const withSegments = parseVersion('4.2.0') as Version;

/** A 400 when the header `Unleash-Client-Spec` is there and no version. */
export function checkClientSpec(header: string | undefined): void {
  takesSegments(header);
}

/**
 * Whether an SDK of this client specification (header `Unleash-Client-Spec`) takes segments apart from the
 * strategies that use them: 4.2.0 and newer (unleash-facts 4.2). A 400 when the header is no version.
 */
export function takesSegments(header: string | undefined): boolean {
  const taken = segmentsTaken(header);
  if (taken === undefined)
    throw new Problem('BadDataError', 'The header Unleash-Client-Spec must be a semantic version such as 5.2.0.');
  return taken;
}

/** {@link takesSegments}, and undefined when the header is no version. */
export function segmentsTaken(header: string | undefined): boolean | undefined {
  if (header === undefined) return false;
  const version = parseVersion(header);
  return version && compareVersions(version, withSegments) >= 0;
}
