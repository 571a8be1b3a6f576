import type { SignalAuthentication } from '@yardarm/contract';
import { type SignalSource, signalSources } from '../../apps/server/src/features/signals/signal-sources/index.ts';

const origin = 'https://flags.example.com';

const fields = ['state', 'title', 'severity', 'fingerprint', 'startedAt', 'link'] as const;

/** All senders that get a page. The generic one gets none, as it has no fields of its own. */
const senders: readonly SignalSource[] = Object.values(signalSources).filter(({ name }) => name !== 'generic');

/**
 * The functions that make the page of each sender, by path below `docs`: how to set it up, and what Yardarm reads of
 * its requests.
 */
export const senderPages: Readonly<Record<string, () => string>> = Object.fromEntries(
  senders.map((source) => [`senders/${source.name}.md`, () => senderPage(source)]),
);

function senderPage(source: SignalSource): string {
  const { name, displayName, documentationUrl, setup } = source;
  const fill = filling(source);
  const vendor =
    documentationUrl === null ? '' : ` The [page of the vendor](${documentationUrl}) describes the request.`;
  return `# ${displayName}

An endpoint with the source \`${name}\` receives the requests of this sender as they are.${vendor}

## Set it up

1. Create a signal endpoint with the sender **${displayName}**, and a token of it
   ([Signals](../guides/signals.md#create-an-endpoint-and-a-token)). The browser shows the same with the URL and the token
   filled in, and waits for the first signal.
2. ${fill(setup.where)}

${setupTable(source, fill)}${setup.code === undefined ? '' : `\`\`\`yaml\n${fill(setup.code)}\n\`\`\`\n`}
A new token proposes the first of these ways to authenticate:

${source.authentication.map((way) => `- \`${way}\`: ${describeWay(way, source)}`).join('\n')}

## What actions can use

The payload stays as it was sent. Beside it, \`normalized\` has what Yardarm reads of it:

${fieldTable(source)}${statesOf(source)}

## Repetitions and limits

${limitsOf(source).join('\n')}
`;
}

/**
 * Returns a function that fills the URL and the token into a setup. The URL contains the token if the sender's best way
 * to authenticate is by path.
 */
function filling({ authentication: [best] }: SignalSource): (text: string) => string {
  const url = `${origin}/api/signal-endpoint/NAME${best === 'path' ? '/TOKEN' : ''}`;
  return (text) => text.replaceAll('{url}', url).replaceAll('{secret}', 'TOKEN');
}

function setupTable({ setup: { values } }: SignalSource, fill: (text: string) => string): string {
  if (values.length === 0) return '';
  const rows = values.map(({ label, value }) => `| ${label} | \`${fill(value).replaceAll('|', '\\|')}\` |`);
  return `| Field | Value |\n|---|---|\n${rows.join('\n')}\n\n\`NAME\` is that of the endpoint.\n`;
}

function describeWay(way: SignalAuthentication, { header, signature }: SignalSource): string {
  switch (way) {
    case 'bearer':
      return 'the token in `Authorization: Bearer …`.';
    case 'basic':
      return 'the token as the password of Basic authentication, with any user name.';
    case 'header':
      return `the token in ${header === undefined ? 'a header that you name' : `the header \`${header}\``}.`;
    case 'path':
      return 'the token at the end of the URL. Proxies write URLs to their logs: use it only where the sender has no other way.';
    case 'signature':
      return signature?.secretLabel === undefined
        ? `the sender signs each body with the token as its secret, in \`${signature?.header}\`.`
        : 'the sender signs each message with its own key. The token names what it may send.';
  }
}

function fieldTable({ fields: recognised }: SignalSource): string {
  if (recognised === null) return '';
  const { elements, ...paths } = recognised;
  const rows = fields.flatMap((field) => {
    const [own, ofElement] = [pathsOf(paths, field), elements === undefined ? '' : pathsOf(elements, field)];
    if (own === '' && ofElement === '') return [];
    return [`| \`${field}\` | ${own} |${elements === undefined ? '' : ` ${ofElement} |`}`];
  });
  const head =
    elements === undefined
      ? '| Field | Read from |\n|---|---|'
      : `| Field | Read from | Of each element of \`${elements.path}\` |\n|---|---|---|`;
  return `${head}\n${rows.join('\n')}\n\nOf several paths, the first with a text counts.`;
}

type Recognised = NonNullable<SignalSource['fields']>;
type Part = Omit<Recognised, 'elements'> | NonNullable<Recognised['elements']>;

function pathsOf(part: Part, field: (typeof fields)[number]): string {
  if (field === 'fingerprint') return part.identity.kinds.map(nameOf).join('; or ');
  return pathList(part[field]);
}

function pathList(found: string | readonly string[] | undefined): string {
  const paths = found === undefined ? [] : [found].flat();
  return paths.map((path) => `\`${path}\``).join(', ');
}

/** Returns the kind of a thing and what names it, as in a fingerprint. */
function nameOf({ kind, name }: Recognised['identity']['kinds'][number]): string {
  const word = kind === null ? [] : typeof kind === 'string' ? [`“${kind}”`] : [`\`${kind.at}\``];
  const parts = name.map((part) =>
    typeof part === 'object' && 'hashOf' in part ? `a hash of \`${part.hashOf}\`` : pathList(part),
  );
  return [...word, ...parts].join(' and ');
}

function statesOf({ fields: recognised }: SignalSource): string {
  const states = recognised?.states ?? {};
  const words = Object.entries(states).map(([word, state]) => `\`${word}\` is \`${state}\``);
  return words.length === 0 ? '' : ` Of the words of this sender, ${words.join(', ')}.`;
}

function limitsOf(source: SignalSource): string[] {
  const { limits, repeat, form, batches, compresses, envelope, omitsContentType } = source;
  return [
    repetitionsOf(source),
    limits === undefined
      ? '- The default limits of endpoints apply.'
      : `- An endpoint takes a burst of ${limits.burst} signals, unless it has another limit. ${limits.why}`,
    ...(limits?.maxElements === undefined
      ? []
      : [
          `- A signal can have ${limits.maxElements} alerts and ${limits.maxBodyBytes} bytes, unless the endpoint has other limits. Of more alerts, actions run for the first ones and for all that have ended.${limits.maxAlerts === undefined ? '' : ` Larger groups: group by more labels. \`${limits.maxAlerts}\` keeps a request small, but alerts that it leaves out, and their ends, do not arrive.`}`,
        ]),
    ...(repeat === undefined
      ? []
      : [
          `- An alert that still fires is repeated every ${repeat.minutes} minutes, unless \`${repeat.setting}\` says otherwise.`,
        ]),
    ...(form === undefined ? [] : ['- A form (`application/x-www-form-urlencoded`) is taken too.']),
    ...(batches === undefined
      ? []
      : ['- A request can have up to 100 events. Each is a signal; all are stored, or none.']),
    ...(envelope === undefined
      ? []
      : ['- An event in the binary mode is stored in the structured mode: its attributes, and its body as `data`.']),
    ...(compresses === undefined ? [] : ['- A body can be compressed with gzip.']),
    ...(omitsContentType === undefined ? [] : ['- A request without `Content-Type` is read as JSON.']),
  ];
}

/** Says how repetitions of a request are recognised. */
function repetitionsOf({ deliveryIds: { signed, unsigned }, signature }: SignalSource): string {
  const ids = [
    signed?.words,
    signed === null && signature !== undefined ? 'its signature' : undefined,
    unsigned?.words,
  ];
  const known = ids.filter((id) => id !== undefined).join(', or else ');
  return known === ''
    ? '- Repeated requests have no id that Yardarm knows: each is a signal.'
    : `- A repeated delivery is stored once within 24 hours. It is known by ${known}.`;
}
