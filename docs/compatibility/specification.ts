/** A rule of the administration API that refuses flags of the client specification, and which ones. */
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
    rule: "A flag name holds ASCII letters, digits and `-_.!~*'()` only.",
    why: 'Names stand in URLs, and Unleash refuses the same names. SDKs and Yardarm evaluate other names.',
    flags: ['Feature.UTF-8.Hellø_Wørld', 'Feature.UTF-8.😊_φriend_你好_🌍'],
  },
  {
    rule: '`REGEX` is not inverted.',
    why: 'Unleash refuses it as well, and a pattern that an SDK cannot read would match everyone. Write the pattern the other way around.',
    flags: ['Inverted.constraint'],
  },
  {
    rule: 'An operator is one that the specification knows.',
    why: 'It would be false for everyone.',
    flags: ['F7.invalid-operator'],
  },
  {
    rule: 'A version is semantic, without a `v` before it.',
    why: 'It would be false for everyone.',
    flags: ['F8.invalidSemverWithLeadingV'],
  },
  {
    rule: 'A pattern is one that RE2 reads.',
    why: 'It would be false for everyone.',
    flags: ['invalid-regex-defaults-to-false', 'R90.reject_lookahead', 'R91.reject_backreference'],
  },
  {
    rule: 'Values of `IN_CIDR` are addresses or networks, all of them.',
    why: 'A value that is neither would never match, and is a typing error.',
    flags: ['CIDR.mixed.values', 'CIDR.invalid.only', 'CIDR.ipv6.mixed.values'],
  },
];
