import type { State } from '@yardarm/contract';
import { CommandError } from './command-error.ts';
import { Refusal, type Remote } from './remote.ts';

type Actions = NonNullable<NonNullable<State['projects']>[string]['actions']>;

/** A state with the values of environment variables, and a client that does not show these values. */
export interface FilledState {
  readonly state: State;
  readonly remote: Remote;
}

/** `${NAME}` in a parameter of an action, or `$${`, which stands for `${`. */
const placeholder = /\$\$+\{|\$\{([A-Za-z_]\w*)\}/g;

/**
 * Puts the values of environment variables into the parameters of actions. Throws a CommandError that names each
 * variable that is missing or empty, and its place in the files. The returned client shows `${NAME}` for the values in
 * answers and errors.
 */
export function fillIn(
  state: State,
  remote: Remote,
  variables: NodeJS.ProcessEnv,
  placeOf: (path: string) => string,
): FilledState {
  const values = new Map<string, string>();
  const missing: string[] = [];
  const filled = mapParameters(state, (text, path) =>
    text.replace(placeholder, (found, name?: string) => {
      if (name === undefined) return found.slice(1);
      const value = variables[name] ?? '';
      if (value === '')
        missing.push(`${placeOf(path)} ${path} names ${name}, an environment variable that is not set.`);
      else values.set(name, value);
      return value;
    }),
  );
  if (missing.length > 0) throw new CommandError(missing.join('\n'));
  return { state: filled, remote: values.size === 0 ? remote : concealing(remote, concealer(values)) };
}

/** Escapes what {@link fillIn} would take for a placeholder. */
export function escapeParameters(state: State): State {
  return mapParameters(state, (text) => text.replace(/\$+\{/g, (found) => `$${found}`));
}

/** Returns the state with each text in the parameters of actions mapped. */
function mapParameters(state: State, map: (text: string, path: string) => string): State {
  if (state.projects === undefined) return state;
  const projects = Object.entries(state.projects).map(([id, project]) => {
    if (project.actions === undefined) return [id, project] as const;
    const actions = Object.entries(project.actions).map(([name, set]) => [
      name,
      { ...set, ...mapSteps(set, `projects.${id}.actions.${name}.do`, map) },
    ]);
    return [id, { ...project, actions: Object.fromEntries(actions) as Actions }] as const;
  });
  return { ...state, projects: Object.fromEntries(projects) };
}

function mapSteps(
  { do: steps }: Actions[string],
  path: string,
  map: (text: string, path: string) => string,
): Pick<Actions[string], 'do'> {
  if (steps === undefined) return {};
  return {
    do: steps.map((step, index) => {
      if (step.parameters === undefined) return step;
      const parameters = Object.entries(step.parameters).map(([name, value]) => [
        name,
        mapTexts(value, (text) => map(text, `${path}.${index}.parameters.${name}`)),
      ]);
      return { ...step, parameters: Object.fromEntries(parameters) };
    }),
  };
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, map)]));
}

/** Returns a function that replaces values, also as JSON and URLs write them, by the placeholder of their variable. */
function concealer(values: ReadonlyMap<string, string>): (text: string) => string {
  const written = [...values].flatMap(([name, value]) =>
    [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)].map((form) => ({ form, name })),
  );
  const longestFirst = written.toSorted((a, b) => b.form.length - a.form.length);
  return (text) => longestFirst.reduce((shown, { form, name }) => shown.replaceAll(form, () => `\${${name}}`), text);
}

interface Answer {
  readonly changes?: readonly { readonly kind: string; readonly fields: unknown }[];
  readonly errors?: unknown;
}

/** Returns a client that conceals values where answers can have them: in errors, and in changes of action sets. */
function concealing(remote: Remote, conceal: (text: string) => string): Remote {
  return {
    url: remote.url,
    call: async (key, body) => {
      try {
        const answer = (await remote.call(key, body)) as Answer;
        return {
          ...answer,
          errors: mapTexts(answer.errors, conceal),
          changes: answer.changes?.map((change) =>
            change.kind === 'action-set' ? { ...change, fields: mapTexts(change.fields, conceal) } : change,
          ),
        };
      } catch (error) {
        if (error instanceof Refusal) throw error.map(conceal);
        if (error instanceof CommandError) throw new CommandError(conceal(error.message));
        throw error;
      }
    },
  };
}
