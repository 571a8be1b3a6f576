/** The context fields that every SDK sets (docs/spec#evaluation-context), even when they are not declared. */
export const sdkFields: ReadonlySet<string> = new Set([
  'userId',
  'sessionId',
  'remoteAddress',
  'environment',
  'appName',
  'currentTime',
]);

/**
 * Returns the names of the context fields by which a strategy and its variants keep users apart, without those that
 * every SDK sets. `default` and `random` are no fields.
 */
export function stickyFields(
  parameters: Readonly<Record<string, string>>,
  variants: readonly { readonly stickiness: string }[],
): string[] {
  const names = [parameters['stickiness'] ?? '', ...variants.map(({ stickiness }) => stickiness)];
  return names.filter((name) => !['', 'default', 'random'].includes(name) && !sdkFields.has(name));
}
