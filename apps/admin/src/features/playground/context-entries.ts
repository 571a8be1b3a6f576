/** The built-in fields of a context; all others are properties. */
const ownFields: ReadonlySet<string> = new Set([
  'appName',
  'userId',
  'sessionId',
  'remoteAddress',
  'environment',
  'currentTime',
]);

/**
 * Returns the fields and properties of a context as pairs of name and text. The context has the form of SDKs, `{
 * userId, properties: { plan } }`, or has the properties beside the fields. Returns undefined when a value is not text,
 * a number or a boolean, or a name has two values.
 */
export function contextEntries(context: unknown): readonly [string, string][] | undefined {
  if (!isObject(context)) return undefined;
  const { properties = {}, ...fields } = context;
  if (!isObject(properties) || Object.keys(properties).some((name) => ownFields.has(name))) return undefined;
  const all = [...Object.entries(fields), ...Object.entries(properties)].filter(([, value]) => value !== null);
  if (all.some(([, value]) => !['string', 'number', 'boolean'].includes(typeof value))) return undefined;
  if (new Set(all.map(([name]) => name)).size < all.length) return undefined;
  return all.map(([name, value]) => [name, String(value)]);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
