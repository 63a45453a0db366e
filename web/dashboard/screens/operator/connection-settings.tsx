// The settings of a connection as facts. Secrets are never among them.
import { CodeBlock } from '../../kit/code.tsx'
import { Definitions } from '../../kit/page.tsx'
import { operatorConnectionWords } from '../../words/operator-connections.ts'
import { useWords } from '../../words/reader.ts'

export function SettingsFacts({ settings }: { readonly settings: Readonly<Record<string, unknown>> }) {
  const { fields } = useWords(operatorConnectionWords)
  const labels: Readonly<Record<string, string>> = fields
  const entries = Object.entries(settings).map(([name, value]) => [name, textOf(value)] as const)
  const [long, short] = [
    entries.filter(([, text]) => text.includes('\n')),
    entries.filter(([, text]) => !text.includes('\n')),
  ]
  return (
    <div className="flex flex-col gap-3">
      <Definitions
        items={short.map(
          ([name, text]) =>
            [labels[name] ?? name, <span className="font-mono break-all">{text}</span>] as const,
        )}
      />
      {long.map(([name, text]) => (
        <CodeBlock key={name} label={labels[name] ?? name} code={text} />
      ))}
    </div>
  )
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return JSON.stringify(value)
}
