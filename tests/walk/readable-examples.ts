import type { RouteExample } from '../../docs/pages/route-examples.ts';

/** The number of entries that an answer keeps of a list: they show what the rest is like. */
const entriesOfList = 2;
/** The number of characters that an answer keeps of a text. */
const lengthOfText = 1500;

/** Names for those that tests generate, such as `flag-12`, by their part before the number. */
const names: Readonly<Record<string, readonly string[]>> = {
  flag: ['new-checkout', 'fast-search', 'dark-mode', 'gift-cards'],
  project: ['shop', 'billing', 'search'],
  env: ['staging', 'preview'],
  set: ['react-to-alert', 'react-to-deploy'],
  template: ['careful-rollout', 'fast-rollout'],
  segment: ['beta-users', 'employees'],
  field: ['tenant', 'plan'],
  tag: ['checkout', 'mobile'],
  type: ['team', 'ticket'],
  endpoint: ['alertmanager', 'deploys'],
  token: ['shop-backend', 'shop-web'],
  app: ['shop-api', 'shop-web'],
  consumer: ['warehouse', 'audit'],
  person: ['ada', 'grace'],
  user: ['ada', 'grace'],
  caller: ['ada', 'grace'],
  group: ['platform', 'payments'],
  role: ['release-manager', 'reviewer'],
  robot: ['ci'],
  strategy: ['by-tenant', 'by-region'],
  copy: ['new-checkout-copy'],
  free: ['pre-production'],
  clone: ['staging-copy'],
};

const generatedName = new RegExp(`\\b(${Object.keys(names).join('|')})-\\d+\\b`, 'g');
const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const ulid = /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g;
/** Times of the day of the recording: some scenarios send the time of the machine. */
const timeOfRecording = new RegExp(`${new Date().toISOString().slice(0, 10)}T[0-9:.]+Z`, 'g');
const generatedMetric = /(requests_total)_[a-z0-9]{8}\b/g;
const hex = /^[0-9a-f]+$/;
const longWord = /[\w-]{24,}/g;
/** Secrets and keys that say by their beginning what they are. */
const prefixedSecret = /\b(whsec|whpk|whsk|signal)_[\w+/=-]{20,}/g;

/**
 * Returns an example as a page shows it: with names in place of generated ones, numbered ids, shortened secrets, and
 * the first entries of long lists.
 */
export function readable(example: RouteExample): RouteExample {
  const { answer } = example;
  const short = answer === undefined ? example : { ...example, answer: shortened(answer) };
  const seen = new Map<string, string[]>();
  /** Returns how many other texts of the kind came before the first of these. */
  const numberOf = (kind: string, text: string): number => {
    const texts = seen.get(kind) ?? [];
    if (!texts.includes(text)) texts.push(text);
    seen.set(kind, texts);
    return texts.indexOf(text);
  };
  const json = JSON.stringify(short)
    .replace(uuid, (id) => `00000000-0000-4000-8000-${String(numberOf('uuid', id) + 1).padStart(12, '0')}`)
    .replace(ulid, (id) => `01K90000000000000000000${String(numberOf('ulid', id) + 1).padStart(3, '0')}`)
    .replace(generatedMetric, '$1')
    .replace(prefixedSecret, '$1_…')
    .replace(longWord, (word) => (isRandom(word) ? `${word.slice(0, 6)}…` : word))
    .replace(timeOfRecording, '2026-11-02T09:00:00.000Z')
    .replace(generatedName, (name, kind: string) => {
      const n = numberOf(kind, name);
      return names[kind]?.[n] ?? `${kind}-${n + 1}`;
    });
  return JSON.parse(json);
}

/** Returns whether a word is part of a token, a key or a hash. */
function isRandom(word: string): boolean {
  return hex.test(word) || [/\d/, /[a-z]/, /[A-Z]/].every((kind) => kind.test(word));
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > lengthOfText ? `${value.slice(0, lengthOfText)}\n…` : value;
  if (Array.isArray(value)) return value.slice(0, entriesOfList).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, shortened(entry)]));
}
