/** A row of the table of figures: the text with its figures, and the commit and file of the bench result. */
export interface Figure {
  readonly stated: string;
  readonly commit: string;
  readonly file: string;
}

/** Returns the rows of the tables that link a bench result in their third column. */
export function figuresOf(page: string): Figure[] {
  return [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \| \[`(\w+)`\]\((\S+)\) \|$/gm)].map(
    ([, , stated = '', commit = '', file = '']) => ({ stated, commit, file }),
  );
}

/** Returns what is wrong with the runs of a page's figures: several, older than the last release, or of no commit. */
export function figureFaults(page: string, changelog: string, read: (file: string) => string): string[] {
  const [, version = '', released] = /^## (\d\S*) \((\d{4}-\d\d-\d\d)\)$/m.exec(changelog) ?? [];
  if (released === undefined) throw new Error('The changelog has no release with a date.');
  const files = [...new Set(figuresOf(page).map(({ file }) => file))];
  const runs = files.map((file) => {
    const { commit, date, dirty }: { commit: string; date: string; dirty: boolean } = JSON.parse(read(file));
    return { file, commit, day: date.slice(0, 10), dirty };
  });
  const faults = runs.flatMap(({ file, day, dirty }) => [
    ...(day < released
      ? [`${file} was measured on ${day}, before release ${version} of ${released}. Run the bench again.`]
      : []),
    ...(dirty ? [`${file} was measured with changes that no commit has.`] : []),
  ]);
  if (runs.length <= 1) return faults;
  const named = runs.map(({ file, commit }) => `${file} of ${commit}`).join(', ');
  return [`The figures come from ${runs.length} runs (${named}). Take all from one run of one commit.`, ...faults];
}
