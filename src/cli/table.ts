// Tables for people: aligned columns, the last one wrapped to the width of the terminal. `--json` is for machines.
import { toJson } from '#/kernel/json.ts'
import { printable, type Terminal } from '#/kernel/terminal.ts'

export type Column<Row> = {
  readonly name: string
  readonly value: (row: Row) => string
  readonly align?: 'right'
}

/**
 * Prints `rows` as a table, or as one JSON array; `empty` is what a person sees when there are none. `recordOf`: a row as JSON shows it,
 * where that differs from the row.
 */
export function printRows<Row>(
  terminal: Terminal,
  rows: readonly Row[],
  how: {
    readonly columns: readonly Column<Row>[]
    readonly json: boolean
    readonly empty: string
    readonly recordOf?: (row: Row) => Readonly<Record<string, unknown>>
  },
): void {
  const { recordOf } = how
  if (how.json) return terminal.out(toJson(recordOf === undefined ? rows : rows.map((row) => recordOf(row))))
  if (rows.length === 0) return terminal.out(how.empty)
  const [head, ...lines] = formatTable(rows, how.columns, terminal.width)
  terminal.out(terminal.paint.soft(head ?? ''))
  for (const line of lines) terminal.out(line)
}

/** Prints one thing as labelled lines, or as one JSON object. Undefined fields are left out. */
export function printRecord(
  terminal: Terminal,
  record: Readonly<Record<string, unknown>>,
  how: { readonly labels: Readonly<Record<string, string>>; readonly json: boolean },
): void {
  if (how.json) return terminal.out(toJson(record))
  const shown = Object.entries(how.labels).filter(([name]) => record[name] !== undefined)
  const width = Math.max(...shown.map(([, label]) => widthOf(label)))
  for (const [name, label] of shown) {
    terminal.out(`${terminal.paint.soft(pad(label, width))}  ${printable(textOf(record[name]))}`)
  }
}

function textOf(value: unknown): string {
  return value instanceof Date ? dateText(value) : String(value)
}

/** An instant to the second, in UTC. */
export function dateText(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/**
 * The lines of a table, its head first. Cells are stripped of control characters. A `width` wraps the last column; where that leaves it
 * no room, it goes below the others.
 */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width?: number,
): readonly string[] {
  const table = [
    columns.map(({ name }) => name),
    ...rows.map((row) => columns.map(({ value }) => printable(value(row)))),
  ]
  const widths = columns.map((_, index) => Math.max(...table.map((cells) => widthOf(cells[index] ?? ''))))
  const lastAt = widths.slice(0, -1).reduce((sum, each) => sum + each + gap.length, 0)
  const lastWidth = widths.at(-1) ?? 0
  const isBelow = width !== undefined && lastAt + Math.min(lastWidth, lastWidthMin) > width
  const indent = isBelow ? gap.length * 2 : lastAt
  return table.flatMap((cells) => {
    const others = cells
      .slice(0, -1)
      .map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.align))
    const last = pad(
      cells.at(-1) ?? '',
      columns.at(-1)?.align === 'right' ? lastWidth : 0,
      columns.at(-1)?.align,
    )
    const [first = '', ...more] = wrap(last, width === undefined ? undefined : width - indent)
    const below = (part: string) => ' '.repeat(indent) + part
    const lines = isBelow ? [others.join(gap), below(first)] : [[...others, first].join(gap)]
    return [...lines, ...more.map(below)].map((line) => line.trimEnd())
  })
}

const gap = '  '
const lastWidthMin = 24

/** `text` in lines of at most `width` columns, broken between words. */
function wrap(text: string, width: number | undefined): readonly string[] {
  if (width === undefined) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && widthOf(longer) > width) {
      lines.push(line)
      line = word
    } else {
      line = longer
    }
  }
  return [...lines, line]
}

function pad(text: string, width: number, align?: 'right'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)))
  return align === 'right' ? space + text : text + space
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Columns that a terminal needs: two for wide East Asian characters and emoji (UAX 11), one for everything else. */
function widthOf(text: string): number {
  let width = 0
  for (const { segment } of graphemes.segment(text)) {
    width +=
      /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\uFF01-\uFF60]/u.test(
        segment,
      )
        ? 2
        : 1
  }
  return width
}
