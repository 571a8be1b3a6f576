import { readFileSync } from 'node:fs';
import { type Language, languages } from '../../apps/admin/src/features/connect/languages/index.ts';

const guide = new URL('../guides/sdks.md', import.meta.url);
const [begin, end] = ['<!-- snippets: npm run docs writes them -->', '<!-- end of the snippets -->'] as const;

/** The values in the snippets of the guide; readers replace `INSERT_API_TOKEN`. */
const values = { url: 'https://flags.example.com', token: 'INSERT_API_TOKEN', flag: 'new-checkout', appName: 'shop' };

/** Returns the guide to SDKs with the snippets of the user interface between its markers. */
export function sdksGuide(): string {
  const text = readFileSync(guide, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/guides/sdks.md lacks ${begin} or ${end}`);
  return `${before}${begin}\n\n${languages.map(section).join('\n')}\n${end}${after}`;
}

function section({ label, token, sdk, isRun, install, run, syntax, note, code }: Language): string {
  const written = sdk === null ? '' : `, ${sdk.name} ${sdk.version}`;
  return `### ${label}

${isRun ? 'Run by the tests' : 'Not run by our tests'}${written}. Needs a ${token} token.${note === undefined ? '' : ` ${note}`}${run === undefined ? '' : ` Save it as \`${run.file}\` and run \`${run.command}\`.`}
${install === null ? '' : `\n\`\`\`text\n${install}\n\`\`\`\n`}
\`\`\`${syntax === 'sh' ? 'bash' : syntax}
${code(values)}\`\`\`
`;
}
