/**
 * Data is seeded in SQL that both engines understand: through the API, a million events would take a quarter of an
 * hour.
 */

/** Begins a statement that selects from `n`, whose one column `i` counts from 1 to `count`. */
export function withNumbers(count: number): string {
  return `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;
}

/** Returns an SQL expression for a text in which `{i}` is replaced by the value of a numeric SQL expression. */
export function textOf(template: string, expression = 'i'): string {
  return template
    .split('{i}')
    .map((part) => `'${part.replaceAll("'", "''")}'`)
    .join(` || (${expression}) || `);
}
