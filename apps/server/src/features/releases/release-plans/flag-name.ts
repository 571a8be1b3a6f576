/** Templates of Unleash name the flag in the group of a gradual rollout with this placeholder. */
const placeholder = /\{\{\s*feature_?name\s*\}\}/gi;

/** Returns parameters of a strategy with the name of the flag in place of its placeholder. */
export function withFlagName<T extends Readonly<Record<string, string>>>(parameters: T | undefined, name: string) {
  const groupId = parameters?.['groupId']?.replace(placeholder, name);
  return groupId === undefined ? parameters : { ...parameters, groupId };
}
