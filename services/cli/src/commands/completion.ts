import { type Command, Option } from 'commander';
import type { CliContext } from '../context.ts';
import { printLines } from '../output/print.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

const EXAMPLES = `
Examples:
  $ source <(contextloom completion --shell bash)                                 in ~/.bashrc
  $ source <(contextloom completion --shell zsh)                                  in ~/.zshrc, after compinit
  $ contextloom completion --shell fish > ~/.config/fish/completions/contextloom.fish`;

/** A command line so far, and the words that may come next. */
interface Level {
  readonly path: readonly string[];
  readonly words: readonly string[];
}

function toLevels(command: Command, path: readonly string[] = []): readonly Level[] {
  const commands = command.commands.map((one) => one.name());
  const options = command.options.filter(({ hidden }) => !hidden).map(({ long, short }) => long ?? short ?? '');
  const own = { path, words: [...commands, ...options, '--help'] };
  return [own, ...command.commands.flatMap((one) => toLevels(one, [...path, one.name()]))];
}

/** Bash and zsh: the deepest command that the line begins with says what comes next; else the names of files. */
function toBash(levels: readonly Level[]): readonly string[] {
  return [
    '_contextloom() {',
    '  local line="${COMP_WORDS[*]:1:COMP_CWORD-1} " words=""',
    '  case "$line" in',
    ...[...levels].reverse().map(({ path, words }) => {
      const start = path.map((word) => `${word} `).join('');
      return `    "${start}"*) words="${words.join(' ')}" ;;`;
    }),
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -o default -F _contextloom contextloom',
  ];
}

function toFish(levels: readonly Level[]): readonly string[] {
  return levels.map(({ path, words }) => {
    const when = path.length === 0 ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path.at(-1)}`;
    return `complete -c contextloom -n '${when}' -a '${words.join(' ')}'`;
  });
}

const scripts: Readonly<Record<Shell, (levels: readonly Level[]) => readonly string[]>> = {
  bash: toBash,
  zsh: (levels) => ['autoload -U +X bashcompinit && bashcompinit', ...toBash(levels)],
  fish: toFish,
};

/** Adds `completion`: prints what a shell reads to complete the commands and options of this program. */
export function registerCompletion(program: Command, context: CliContext): void {
  program
    .command('completion')
    .description('print the script by which a shell completes commands and options')
    .addOption(new Option('--shell <shell>', 'the shell').choices(shells).makeOptionMandatory())
    .addHelpText('after', EXAMPLES)
    .action(({ shell }: { readonly shell: Shell }) => printLines(context, scripts[shell](toLevels(program))));
}
