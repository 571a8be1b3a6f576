// This file imports nothing, so that the user interface can check values without the evaluation code.

const wholePercentage = /^(?:0|[1-9]\d?|100)$/;

/**
 * Returns why a text is refused as a percentage. Only whole numbers in their usual spelling are read the same by all
 * SDKs: of "33.3", "100.0" and "+5", those for Java, .NET, Python and Ruby make "off for everyone".
 */
export function percentageProblem(value: string): string | undefined {
  return wholePercentage.test(value) ? undefined : 'must be a whole number from 0 to 100, such as 33';
}
