// Sets the theme before the first paint: the choice of this device, else what the system says. A classic script, so it exports nothing.
{
  let kept: string | null = null
  try {
    kept = localStorage.getItem('vintem-theme')
  } catch {
    // A browser may refuse to keep anything.
  }
  if (kept === 'light' || kept === 'dark') document.documentElement.dataset['theme'] = kept
}
