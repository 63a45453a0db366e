// What only a command may do: why, and the command to copy. docs/console.md has the whole table.
import { CodeBlock } from '../../kit/code.tsx'
import { operatorCommandWords } from '../../words/operator-commands.ts'
import { useWords } from '../../words/reader.ts'

export type CommandReason = keyof (typeof operatorCommandWords)['en']['whys']

export function OnlyCommand({
  why,
  commands,
}: {
  readonly why: CommandReason
  /** Behind `./vintem`. */
  readonly commands: readonly string[]
}) {
  const words = useWords(operatorCommandWords)
  return (
    <div className="flex min-w-0 flex-col gap-2 text-13">
      <p className="max-w-[66ch] text-ink-soft">{words.whys[why]}</p>
      <CodeBlock label={words.command} code={commands.map((each) => `./vintem ${each}`).join('\n')} />
    </div>
  )
}
