/** A rule of the admin API that refuses flags of the client specification, with these flags. */
export interface Refused {
  readonly rule: string;
  readonly why: string;
  /** Flags of the specification, by name. */
  readonly flags: readonly string[];
}

/**
 * Content of the client specification that is refused; tests/conformance/specified-configuration.test.ts creates every
 * flag of the specification.
 */
export const refused: readonly Refused[] = [
  {
    rule: "Flag names contain ASCII letters, digits and `-_.!~*'()` only.",
    why: 'Names stand in URLs, and Unleash refuses the same names. SDKs and Yardarm evaluate other names.',
    flags: ['Feature.UTF-8.Hellø_Wørld', 'Feature.UTF-8.😊_φriend_你好_🌍'],
  },
  {
    rule: '`REGEX` cannot be inverted.',
    why: 'Unleash refuses it as well, and a pattern that an SDK cannot read would match everyone. Write the pattern the other way around.',
    flags: ['Inverted.constraint'],
  },
  {
    rule: 'Operators are those of the specification.',
    why: 'It would be false for everyone.',
    flags: ['F7.invalid-operator'],
  },
  {
    rule: 'Versions are semantic versions without a leading `v`.',
    why: 'It would be false for everyone.',
    flags: ['F8.invalidSemverWithLeadingV'],
  },
  {
    rule: 'Patterns compile in RE2.',
    why: 'It would be false for everyone.',
    flags: ['invalid-regex-defaults-to-false', 'R90.reject_lookahead', 'R91.reject_backreference'],
  },
  {
    rule: 'All values of `IN_CIDR` are addresses or networks.',
    why: 'Other values never match, and are typing errors.',
    flags: ['CIDR.mixed.values', 'CIDR.invalid.only', 'CIDR.ipv6.mixed.values'],
  },
];
