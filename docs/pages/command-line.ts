import { createProgram } from '../../apps/server/src/main.ts';

type Command = ReturnType<typeof createProgram>;
type Option = Command['options'][number];

/** Returns the page of the command line: each command with its arguments and options. */
export function commandLinePage(): string {
  const program = createProgram();
  return `# Command line

In a clone, \`npm run yardarm -- <command>\`. Commands for the database open the database themselves, with the settings
of the server. Commands with \`--url\` call a running server with the rights of a token.

${options(program.options)}

${commandsOf(program).map(section).join('\n\n')}
`;
}

function commandsOf(parent: Command): Command[] {
  return parent.commands.flatMap((command) => (command.commands.length === 0 ? [command] : commandsOf(command)));
}

function section(command: Command): string {
  const description = command.description();
  const text = `## ${nameOf(command)}

\`yardarm ${nameOf(command)} ${command.usage()}\`

${description.charAt(0).toUpperCase()}${description.slice(1)}.`;
  return command.options.length === 0 ? text : `${text}\n\n${options(command.options)}`;
}

function nameOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name();
}

function options(list: readonly Option[]): string {
  const rows = list.map(({ flags, description }) => `| \`${flags}\` | ${description.replaceAll('|', '\\|')} |`);
  return `| Option | Meaning |\n|---|---|\n${rows.join('\n')}`;
}
