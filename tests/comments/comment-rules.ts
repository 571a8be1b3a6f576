import ts from 'typescript';

const maxColumns = 120;

/** Directives to the linter cannot be wrapped. */
const directive = /\bbiome-ignore\b/;

/** Openings that hide the subject of a sentence. Use "Returns…", "Rejects…" or the name of the subject. */
const bannedOpening = /^(All that|Asked|Of|That|Those|Told|What|Whoever)\b/;

interface Comment {
  readonly line: number;
  /** Text without comment marks, up to the first line break or the end of the comment. */
  readonly opening: string;
  readonly lines: number;
}

/** Returns the breaches of the comment rules in a file, each as `path:line message`. */
export function commentBreaches(path: string, source: string): string[] {
  const lines = source.split('\n');
  return commentsOf(path, source).flatMap(({ line, opening, lines: count }) => {
    const long = lines
      .slice(line, line + count)
      .flatMap((text, at) =>
        text.length > maxColumns && !directive.test(text) ? [`${path}:${line + at + 1} ${tooLong(text)}`] : [],
      );
    const banned = bannedOpening.exec(opening);
    return banned ? [`${path}:${line + 1} comment begins with "${banned[0]}": ${opening}`, ...long] : long;
  });
}

const tooLong = (text: string) => `comment line has ${text.length} columns, more than ${maxColumns}`;

/** Returns the comments of a file; consecutive lines that begin with `//` are one comment. */
function commentsOf(path: string, source: string): Comment[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, kindOf(path));
  const comments: Comment[] = [];
  for (const { pos, end, kind } of rangesOf(file)) {
    const line = file.getLineAndCharacterOfPosition(pos).line;
    const lines = file.getLineAndCharacterOfPosition(end).line - line + 1;
    const previous = comments.at(-1);
    const isLine = kind === ts.SyntaxKind.SingleLineCommentTrivia;
    if (isLine && previous && startsWithComment(source, pos) && previous.line + previous.lines === line) {
      comments[comments.length - 1] = { ...previous, lines: previous.lines + lines };
    } else {
      comments.push({ line, lines, opening: openingOf(source.slice(pos, end)) });
    }
  }
  return comments;
}

function kindOf(path: string): ts.ScriptKind {
  if (path.endsWith('x')) return ts.ScriptKind.TSX;
  return path.endsWith('ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS;
}

/** Returns the comments around all tokens: the parser tells them from strings, templates, patterns and JSX text. */
function rangesOf(file: ts.SourceFile): ts.CommentRange[] {
  const found = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    if (node.kind !== ts.SyntaxKind.JsxText) {
      for (const range of ts.getLeadingCommentRanges(file.text, node.getFullStart()) ?? []) found.set(range.pos, range);
      for (const range of ts.getTrailingCommentRanges(file.text, node.getEnd()) ?? []) found.set(range.pos, range);
    }
    node.getChildren(file).forEach(visit);
  };
  visit(file);
  return [...found.values()].sort((a, b) => a.pos - b.pos);
}

const startsWithComment = (source: string, pos: number) =>
  source.slice(source.lastIndexOf('\n', pos - 1) + 1, pos).trim() === '';

function openingOf(comment: string): string {
  const text = comment.replace(/^\/[*/]+\s*(\*\s*)?/, '').replace(/\s*\*\/$/, '');
  return text.split('\n')[0]?.trim() ?? '';
}
