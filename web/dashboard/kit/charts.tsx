// Charts as SVG: a balance is a step line, a volume is bars. Few labels, a cursor for pointer and keyboard, and a table behind each.
import { useId, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { kitWords } from '../words/kit.ts'
import { useFormat, useWords } from '../words/reader.ts'
import type { Minor } from './format.ts'

/** `at`: a date, or an instant. */
export type Point = { readonly at: string; readonly value: Minor }

const pointsLeast = 7

/** Without the time before the first amount of a young account, which would be most of its chart; seven points at least. */
export function sinceFirst(points: readonly Point[]): readonly Point[] {
  const first = points.findIndex(({ value }) => BigInt(value) !== 0n)
  // The point before the first amount shows that it rose from nothing.
  const from = Math.min(Math.max(first - 1, 0), points.length - pointsLeast)
  return from > 0 ? points.slice(from) : points
}

type ChartProps = {
  readonly label: string
  readonly points: readonly Point[]
  /** How a value is written. */
  readonly write: (value: Minor) => string
  /** How a point's day is written. */
  readonly writeAt?: (at: string) => string
  /** What stands above the chart while no point is chosen. */
  readonly summary?: { readonly value: string; readonly note: string }
}

const width = 600
const height = 160

/** A balance: it holds its value until the next change. */
export function StepLine(props: ChartProps) {
  const { points } = props
  const { low, high } = boundsOf(points)
  const xOf = (index: number) => (index / Math.max(1, points.length)) * width
  const yOf = (value: Minor) => height - 1 - ((Number(value) - low) / (high - low)) * (height - 2)
  let line = ''
  for (const [index, { value }] of points.entries())
    line += `${index === 0 ? `M0 ${yOf(value)}` : `V${yOf(value)}`}H${xOf(index + 1)}`
  const area = points.length === 0 ? '' : `${line}V${yOf(0)}H0Z`
  return (
    <Frame {...props}>
      {(active) => (
        <>
          {active !== undefined && (
            <rect
              x={xOf(active)}
              y={0}
              width={width / points.length}
              height={height}
              className="fill-ink opacity-8"
            />
          )}
          <path d={area} className="fill-accent opacity-8" />
          <path
            d={line}
            fill="none"
            className="stroke-accent"
            strokeWidth={2}
            vectorEffect="non-scaling-stroke"
          />
          {low < 0 && (
            <path
              d={`M0 ${yOf(0)}H${width}`}
              className="stroke-edge"
              strokeWidth={1}
              vectorEffect="non-scaling-stroke"
            />
          )}
        </>
      )}
    </Frame>
  )
}

/** A volume: one bar for each day. */
export function Bars(props: ChartProps) {
  const { points } = props
  const { high } = boundsOf(points)
  const room = width / Math.max(1, points.length)
  const tall = (value: Minor) => (Number(value) <= 0 ? 0 : Math.max(2, (Number(value) / high) * (height - 1)))
  return (
    <Frame {...props}>
      {(active) =>
        points.map(({ at, value }, index) => (
          <rect
            key={at}
            x={index * room + room * 0.15}
            y={height - tall(value)}
            width={room * 0.7}
            height={tall(value)}
            className={active === undefined || active === index ? 'fill-accent' : 'fill-accent opacity-40'}
          />
        ))
      }
    </Frame>
  )
}

function Frame({
  label,
  points,
  write,
  writeAt,
  summary,
  children,
}: ChartProps & { readonly children: (active: number | undefined) => ReactNode }) {
  const words = useWords(kitWords)
  const format = useFormat()
  const helpId = useId()
  const { active, box, handlers } = useCursor(points.length)
  const dayOf = writeAt ?? ((at: string) => (at.length === 10 ? format.date(at) : format.day(at)))
  const point = active === undefined ? undefined : points[active]
  const highest = points.reduce<Minor>((most, { value }) => (value > most ? value : most), 0)
  return (
    <figure className="min-w-0">
      <p aria-live="polite" className="figures flex min-h-8 flex-wrap items-baseline gap-x-2">
        <strong className="text-20">{point === undefined ? summary?.value : write(point.value)}</strong>
        <span className="text-13 text-ink-soft">{point === undefined ? summary?.note : dayOf(point.at)}</span>
      </p>
      <div
        ref={box}
        role="img"
        tabIndex={0}
        aria-label={label}
        aria-describedby={helpId}
        {...handlers}
        className="relative mt-1 touch-pan-y rounded-small"
      >
        {/* The height of the chart, said once: the value of its highest point. */}
        <div
          className="figures h-5 border-b border-dashed border-line text-13 text-ink-soft"
          aria-hidden="true"
        >
          {highest > 0 && write(highest)}
        </div>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          className="block h-36 w-full border-b border-line"
        >
          {children(active)}
        </svg>
        <span id={helpId} className="aside">
          {words.chartHelp}
        </span>
        <div className="figures flex h-7 items-end justify-between text-13 text-ink-soft" aria-hidden="true">
          <span>{points[0] !== undefined && dayOf(points[0].at)}</span>
          <span>{points.length > 1 && dayOf(points.at(-1)?.at ?? '')}</span>
        </div>
      </div>
      <DataTable label={label} points={points} write={write} dayOf={dayOf} />
    </figure>
  )
}

/** Which point the pointer or the arrow keys have chosen. */
function useCursor(count: number) {
  const box = useRef<HTMLDivElement>(null)
  const [chosen, setActive] = useState<number>()
  // A shorter span may have replaced the points.
  const active = chosen !== undefined && chosen < count ? chosen : undefined
  const within = (index: number) => Math.min(count - 1, Math.max(0, index))
  const onPointerMove = (event: PointerEvent) => {
    const area = box.current?.getBoundingClientRect()
    if (area === undefined || count === 0) return
    setActive(within(Math.floor(((event.clientX - area.left) / area.width) * count)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      Home: -Infinity,
      End: Infinity,
    }
    const step = steps[event.key]
    if (event.key === 'Escape') setActive(undefined)
    if (step === undefined || count === 0) return
    event.preventDefault()
    setActive(within((active ?? count) + step))
  }
  const leave = () => setActive(undefined)
  return {
    active,
    box,
    handlers: {
      onPointerMove,
      onPointerDown: onPointerMove,
      onPointerLeave: leave,
      onKeyDown,
      onBlur: leave,
    },
  }
}

function DataTable({
  label,
  points,
  write,
  dayOf,
}: {
  readonly label: string
  readonly points: readonly Point[]
  readonly write: (value: Minor) => string
  readonly dayOf: (at: string) => string
}) {
  const words = useWords(kitWords)
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="text-13" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="inline-flex min-h-8 items-center text-ink-soft hover:text-ink phone:min-h-11">
        {words.showTable}
      </summary>
      {isOpen && (
        <div className="max-h-60 overflow-y-auto" tabIndex={0} role="region" aria-label={label}>
          <table className="w-full">
            <thead>
              <tr className="text-left text-ink-soft">
                <th className="py-1 font-normal">{words.day}</th>
                <th className="py-1 text-right font-normal">{words.value}</th>
              </tr>
            </thead>
            <tbody>
              {points.map(({ at, value }) => (
                <tr key={at} className="border-t border-line">
                  <td className="py-1">{dayOf(at)}</td>
                  <td className="figures py-1 text-right">{write(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  )
}

/** From zero, or below where a value is: heights can be compared. Never a height of zero. */
function boundsOf(points: readonly Point[]): { readonly low: number; readonly high: number } {
  const values = points.map(({ value }) => Number(value))
  const high = Math.max(...values, 0)
  const low = Math.min(...values, 0)
  return high === low ? { low, high: low + 1 } : { low, high }
}
