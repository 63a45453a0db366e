// The operator's console in navigation and palette: groups of entries, each the path of a row of operator-screens.ts. A screen without an
// entry is reached from another screen.
import { textIn, type Texts } from '#/kernel/dictionary.ts'
import { useSession } from '../api/session.ts'
import type { IconName } from '../kit/icons.tsx'
import { useReader } from '../words/reader.ts'

type Entry = readonly [path: string, icon: IconName, label: Texts]

/** The first group needs no heading. */
const groups: readonly { readonly heading?: Texts; readonly entries: readonly Entry[] }[] = [
  {
    entries: [['', 'overview', ['Pendências', 'To do', 'Pendientes']]],
  },
  {
    heading: ['Lojistas e conexões', 'Merchants and connections', 'Comercios y conexiones'],
    entries: [
      ['merchants', 'shop', ['Lojistas', 'Merchants', 'Comercios']],
      ['connections', 'link', ['Conexões', 'Connections', 'Conexiones']],
    ],
  },
  {
    heading: ['Dinheiro', 'Money', 'Dinero'],
    entries: [
      ['withdrawals', 'withdrawals', ['Saques parados', 'Stuck withdrawals', 'Retiros detenidos']],
      ['refunds', 'refunds', ['Reembolsos parados', 'Stuck refunds', 'Reembolsos detenidos']],
      ['freezes', 'dash', ['Bloqueios', 'Freezes', 'Bloqueos']],
      [
        'suspense',
        'lost',
        ['Valores não identificados', 'Unidentified receipts', 'Importes no identificados'],
      ],
      ['bank-files', 'reports', ['Arquivos do banco', 'Bank files', 'Archivos del banco']],
      ['payment-files', 'download', ['Arquivos de pagamento', 'Payment files', 'Archivos de pago']],
    ],
  },
  {
    heading: ['Sistema', 'System', 'Sistema'],
    entries: [
      ['jobs', 'play', ['Tarefas', 'Jobs', 'Tareas']],
      ['chains', 'chain', ['Redes e tesouraria', 'Chains and treasury', 'Redes y tesorería']],
      ['queues', 'queue', ['Filas', 'Queues', 'Colas']],
    ],
  },
  {
    heading: ['Pessoas', 'People', 'Personas'],
    entries: [
      ['users', 'user', ['Usuários', 'Users', 'Usuarios']],
      ['audit', 'book', ['Auditoria', 'Audit log', 'Auditoría']],
    ],
  },
]

export type ConsoleEntry = { readonly to: string; readonly icon: IconName; readonly label: string }

/** Empty for everybody but operators. */
export function useConsoleGroups(): readonly {
  readonly heading: string | undefined
  readonly entries: readonly ConsoleEntry[]
}[] {
  const { locale } = useReader()
  if (!useSession().operatorPermissions.includes('operator:read')) return []
  return groups.map(({ heading, entries }) => ({
    heading: heading === undefined ? undefined : textIn(locale, heading),
    entries: entries.map(([path, icon, label]) => ({
      to: path === '' ? '/operator' : `/operator/${path}`,
      icon,
      label: textIn(locale, label),
    })),
  }))
}
