import { Problem } from '../../kernel/errors.ts';

const strictSemver =
  /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/**
 * Whether an SDK of this client specification (header `Unleash-Client-Spec`) takes segments apart from the
 * strategies that use them: 4.2.0 and newer (unleash-facts 4.2). A 400 when the header is no version.
 */
export function takesSegments(header: string | undefined): boolean {
  if (header === undefined) return false;
  const match = strictSemver.exec(header);
  if (match === null)
    throw new Problem('BadDataError', 'The header Unleash-Client-Spec must be a semantic version such as 5.2.0.');
  const [major, minor, patch] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (major !== 4) return major > 4;
  // A pre-release comes before the release it leads to.
  return minor > 2 || (minor === 2 && (patch > 0 || match[4] === undefined));
}
