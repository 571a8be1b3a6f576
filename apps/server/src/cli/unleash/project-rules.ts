import { linkTemplatesBody, type State } from '@yardarm/contract';
import type { Names } from './content-names.ts';
import type { UnleashContent, UnleashProject } from './read.ts';

type Rules = Pick<NonNullable<State['projects']>[string], 'featureNaming' | 'linkTemplates'>;

/** Returns those rules of a project for new flags that Yardarm accepts. */
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

/** Returns whether all flags of the project match its name pattern: the import creates them under the same pattern. */
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
