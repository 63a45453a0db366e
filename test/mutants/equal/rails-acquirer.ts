import type { EqualMutant } from './equal-mutant.ts'

export const railsAcquirer: readonly EqualMutant[] = [
  {
    file: 'src/rails/routing.ts',
    find: '    minor < min\n',
    put: '    minor <= min\n',
    why: 'The smallest amount itself was taken before.',
  },
  {
    file: 'src/rails/kit/settings.ts',
    find: '.raw.length > 0',
    put: '.raw.length >= 0',
    why: 'A certificate that could be read has bytes.',
  },
  {
    file: 'src/rails/kit/settings.ts',
    find: '.raw.length > 0',
    put: '.raw.length > 1',
    why: 'A certificate that could be read has more than one byte.',
  },
  {
    file: 'src/rails/kit/qr.ts',
    find: '{ level: 1 }',
    put: '{ level: 2 }',
    why: 'The same pixels, compressed by another level.',
  },
  {
    file: 'src/rails/kit/qr.ts',
    find: 'row < size',
    put: 'row <= size',
    why: 'Outside of the code no module is dark.',
  },
  {
    file: 'src/rails/kit/qr.ts',
    find: 'column < size',
    put: 'column <= size',
    why: 'Outside of the code no module is dark.',
  },
  {
    file: 'src/rails/acquirer/signature.ts',
    find: 'time === undefined || !/^\\d{1,11}$/.test(time)',
    put: '(!/^\\d{1,11}$/.test(time))',
    why: 'An absent time is tested as the text undefined, which is no number.',
  },
  {
    file: 'src/rails/http.ts',
    find: 'let status = 0',
    put: 'let status = 1',
    why: 'An answer has its status before it ends.',
  },
]
