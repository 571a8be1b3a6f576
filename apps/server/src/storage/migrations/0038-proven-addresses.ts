import type { Dialect } from './dialect.ts';

/** Since when a provider has let somebody in; until then nobody has proven that the e-mail address of a guest is theirs. */
export function provenAddresses({ int }: Dialect): readonly string[] {
  return [`alter table users add column sso_since ${int}`];
}
