import type { Section } from './navigation.ts';
import type { Page } from './page.ts';

/** Returns `llms.txt`: the pages with their summaries, each linked as Markdown. */
export function llmsText(sections: readonly Section[], pages: ReadonlyMap<string, Page>): string {
  const parts = sections.map(({ title, pages: paths }) => {
    const lines = paths.flatMap((path) => {
      const page = pages.get(path);
      return page === undefined ? [] : [`- [${page.title}](${path}): ${page.summary}`];
    });
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  return `# Yardarm

> A self-hosted feature-flag service. Outside systems, such as alerts and pipelines, can change flags by signals.

${parts.join('\n\n')}
`;
}
