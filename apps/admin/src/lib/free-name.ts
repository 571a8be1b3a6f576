/** Returns a name that is not taken: the wanted one, or else the first free one with a number: "shop-2", "shop-3". */
export function freeName(wanted: string, taken: readonly string[], separator = '-'): string {
  let name = wanted;
  for (let number = 2; taken.includes(name); number++) name = `${wanted}${separator}${number}`;
  return name;
}
