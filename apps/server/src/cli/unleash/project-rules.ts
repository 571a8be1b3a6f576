import { linkTemplatesBody, type State } from '@yardarm/contract';
import type { Names } from './content-names.ts';
import type { UnleashContent, UnleashProject } from './read.ts';

type Rules = Pick<NonNullable<State['projects']>[string], 'featureNaming' | 'linkTemplates'>;

/** Returns the rules for new flags of a project that can be moved. */
export function rulesOf(project: UnleashProject, flags: UnleashContent['flags'], names: Names): Rules {
  const { featureNaming, linkTemplates } = project;
  return {
    ...(canMovePattern(project, flags, names) ? { featureNaming: namingOf(featureNaming) } : {}),
    ...(canMoveTemplates(project)
      ? {
          linkTemplates: (linkTemplates ?? []).map(({ title, urlTemplate }) => ({ title: title ?? null, urlTemplate })),
        }
      : {}),
  };
}

function namingOf(naming: UnleashProject['featureNaming']): Rules['featureNaming'] {
  const { pattern, example, description } = naming ?? {};
  if (pattern == null || pattern === '') return { pattern: null };
  return { pattern, example: matches(pattern, example ?? '') ? example : null, description };
}

/** Returns whether the names of all flags match the pattern: the import creates these flags by the same rule. */
export function canMovePattern(
  { id, featureNaming }: UnleashProject,
  flags: UnleashContent['flags'],
  names: Names,
): boolean {
  const pattern = featureNaming?.pattern ?? '';
  if (pattern === '') return true;
  return flags.every(({ project, name }) => project !== id || matches(pattern, names.flags.of(name)));
}

/** Returns whether Yardarm accepts the link templates. */
export function canMoveTemplates({ linkTemplates }: UnleashProject): boolean {
  return linkTemplatesBody.safeParse(linkTemplates ?? []).success;
}

/** Returns whether the whole name matches; false for an invalid pattern. */
function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`).test(name);
  } catch {
    return false;
  }
}
