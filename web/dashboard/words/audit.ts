import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from './dictionary.ts'

/** The audit log. */
export const auditWords = dictionary({
  title: commonWords.auditLog,
  lead: [
    'Quem mudou o quê nesta conta, e quando. Nada aqui pode ser alterado ou apagado.',
    'Who changed what in this account, and when. Nothing here can be changed or erased.',
    'Quién cambió qué en esta cuenta, y cuándo. Nada aquí se puede cambiar ni borrar.',
  ],
  search: [
    'Assunto, como payment:019a… ou key:019a…',
    'Subject, such as payment:019a… or key:019a…',
    'Asunto, como payment:019a… o key:019a…',
  ],
  to: ['até', 'to', 'a'],
  none: ['Nada registrado ainda', 'Nothing recorded yet', 'Aún no hay nada registrado'],
  noneLead: [
    'Cada mudança feita por uma pessoa ou uma chave aparece aqui.',
    'Each change that a person or a key makes appears here.',
    'Cada cambio hecho por una persona o una clave aparece aquí.',
  ],
  noneFound: [
    'Nenhum resultado com estes filtros',
    'Nothing matches these filters',
    'Nada con estos filtros',
  ],
  noneFoundLead: [
    'Remova um filtro ou escolha outro período. O assunto precisa ser exato.',
    'Remove a filter or choose another period. The subject must be exact.',
    'Quite un filtro o elija otro período. El asunto debe ser exacto.',
  ],
  kind: {
    OPERATOR: commonWords.operator,
    USER: commonWords.person,
    API_KEY: ['Chave de API', 'API key', 'Clave de API'],
    SYSTEM: ['Sistema', 'System', 'Sistema'],
  },
  changes: ['O que mudou', 'What changed', 'Qué cambió'],
  field: ['Campo', 'Field', 'Campo'],
  noChange: [
    'Esta ação não guarda valores.',
    'This action records no values.',
    'Esta acción no guarda valores.',
  ],
  subject: ['Assunto', 'Subject', 'Asunto'],
  onlySubject: ['Só deste assunto', 'Only this subject', 'Solo este asunto'],
  address: ['Endereço de rede', 'Network address', 'Dirección de red'],
  request: ['ID da chamada', 'Request ID', 'ID de la llamada'],
  exact: commonWords.when,
})
