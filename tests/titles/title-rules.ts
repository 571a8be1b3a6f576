/** The greatest length of a title, in characters: what `git log --oneline` shows in a narrow terminal. */
const longest = 72;

/** Verbs that end like another form of a word. */
const verbs =
  /^(?:embed|feed|need|seed|shed|speed|bring|ring|string|swing|access|address|bypass|compress|discuss|dismiss|express|focus|guess|pass|possess|press|process|progress|stress|suppress)$/i;

/** Returns why the title of a commit breaks the rules of CONTRIBUTING.md; undefined when it keeps them. */
export function titleBreach(title: string): string | undefined {
  const [first = ''] = title.split(' ');
  if (title.length > longest) return `has ${title.length} characters, more than ${longest}`;
  if (/^(?:fixup|squash|amend)!/.test(title)) return 'is of a commit that was to become a part of another';
  if (/^Merge (?:branch|remote-tracking|commit|tag|pull request) /.test(title)) return "is git's own title of a merge";
  if (!/^\p{Lu}/u.test(title)) return 'does not begin with a capital letter';
  if (/[.:;,]$/.test(title)) return 'ends with a punctuation mark';
  if (/[:,]$/.test(first)) return 'begins with a label instead of a verb';
  if (/^(?:a|an|the|this|these|one|each|all|some|no)$/i.test(first)) return 'begins with a noun instead of a verb';
  if (/(?:ed|ing|s)$/.test(first) && !verbs.test(first)) return 'does not begin with an imperative';
  return undefined;
}
