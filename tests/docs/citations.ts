/** Texts by their path from the root of the repository. */
export type Texts = Readonly<Record<string, string>>;

/** Match a citation of a section of docs/spec, citations of decision records, and a link of a Markdown page. */
const citation = /docs\/spec#([a-z0-9-]+)/g;
const records = /\bADRs?[\s*#/]+\d+(?:(?:,|,? and)[\s*#/]+\d+\b)*|\badr\/\d{4}\b/g;
const link = /\]\(([^)\s]+)\)/g;
const fence = /^(```|~~~)[\s\S]*?^\1/gm;

/** Earlier forms of citations, which name documents that are not part of the repository. */
const outdated = /unleash-facts|decisions\.md|\b(?:spec|specification section) \d/i;

/** Returns the anchors of a page's headings, made as GitHub makes them. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.replace(fence, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replace(/ /g, '-'),
  );
}

/** Returns the problems of the citations and links in `texts`. `exists` says which paths are in the repository. */
export function brokenCitations(texts: Texts, exists: (path: string) => boolean): string[] {
  const spec = Object.keys(texts).filter((path) => /^docs\/spec\/.*\.md$/.test(path));
  const sections = spec.flatMap((path) => anchorsOf(texts[path] ?? ''));
  return Object.entries(texts).flatMap(([path, text]) => [
    ...text
      .split('\n')
      .flatMap((line, at) => problemsOfLine(line, sections).map((what) => `${path}:${at + 1} ${what}`)),
    ...missingRecords(text, Object.keys(texts)).map((what) => `${path} ${what}`),
    ...(path.endsWith('.md') ? brokenLinks(path, texts, exists) : []),
  ]);
}

/** Returns the anchors that two sections of docs/spec share: a citation of one would be ambiguous. */
export function ambiguousSections(texts: Texts): string[] {
  const sections = Object.keys(texts)
    .filter((path) => path.startsWith('docs/spec/'))
    .flatMap((path) => anchorsOf(texts[path] ?? ''));
  return sections.filter((section, at) => sections.indexOf(section) !== at);
}

function problemsOfLine(line: string, sections: readonly string[]): string[] {
  const missing = [...line.matchAll(citation)]
    .filter(([, section = '']) => !sections.includes(section))
    .map(([cited]) => `cites ${cited}, which is no heading in docs/spec`);
  return outdated.test(line) ? [...missing, `cites a document that is not in the repository: ${line.trim()}`] : missing;
}

/** Returns the problems of the decision records that `text` cites, such as ADR 2, ADR 2 and 4, or adr/0002. */
function missingRecords(text: string, paths: readonly string[]): string[] {
  const numbers = [...text.matchAll(records)].flatMap(([cited]) => cited.match(/\d+/g) ?? []);
  return numbers
    .filter((number) => !paths.some((path) => path.startsWith(`docs/adr/${number.padStart(4, '0')}-`)))
    .map((number) => `cites ADR ${Number(number)}, which is no file in docs/adr`);
}

function brokenLinks(path: string, texts: Texts, exists: (path: string) => boolean): string[] {
  const prose = (texts[path] ?? '').replace(fence, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(link)].flatMap(([, target = '']) => {
    if (/^[a-z]+:|^\//.test(target)) return [];
    const [to = '', anchor] = target.split('#');
    const page = to === '' ? path : new URL(to, `file:///${path}`).pathname.slice(1);
    if (!exists(page)) return [`${path} links to ${target}, which does not exist`];
    const linked = texts[page];
    if (anchor === undefined || linked === undefined || !page.endsWith('.md')) return [];
    return anchorsOf(linked).includes(anchor) ? [] : [`${path} links to ${target}, a heading that does not exist`];
  });
}
