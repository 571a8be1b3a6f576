/** Reads one value without labels from the product's GET /metrics. Throws when the metric is missing. */
export async function readMetric(origin: string, name: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  const value = Number(line?.slice(name.length));
  if (line === undefined || Number.isNaN(value)) throw new Error(`GET /metrics tells no ${name}`);
  return value;
}
