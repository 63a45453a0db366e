/** How far long work is. The number stands in words beside it. */
export function Progress({
  value,
  max,
  label,
}: {
  readonly value: number
  readonly max: number
  readonly label: string
}) {
  const share = max <= 0 ? 1 : Math.min(1, value / max)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      className="h-1.5 overflow-hidden rounded-full bg-inset"
    >
      <div
        className="h-full rounded-full bg-accent transition-[width] duration-200 ease-out"
        style={{ width: `${share * 100}%` }}
      />
    </div>
  )
}
