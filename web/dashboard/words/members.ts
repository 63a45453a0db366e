import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from './dictionary.ts'

/** The people of a merchant. */
export const memberWords = dictionary({
  title: ['Membros', 'Members', 'Miembros'],
  lead: [
    'Quem tem acesso a esta conta, e o que cada um pode fazer nela.',
    'Who has access to this account, and what each of them can do.',
    'Quién tiene acceso a esta cuenta, y qué puede hacer cada uno en ella.',
  ],
  you: ['você', 'you', 'usted'],
  role: ['Função', 'Role', 'Rol'],
  factor: commonWords.secondFactor,
  factorOn: ['Tem segundo fator', 'Has a second factor', 'Tiene segundo factor'],
  factorOff: ['Sem segundo fator', 'No second factor', 'Sin segundo factor'],
  disabled: ['Bloqueada pelo operador', 'Blocked by the operator', 'Bloqueada por el operador'],
  invite: ['Convidar', 'Invite', 'Invitar'],
  inviteTitle: ['Convidar uma pessoa', 'Invite a person', 'Invitar a una persona'],
  inviteLead: [
    'Você recebe um link para enviar à pessoa. Quem o abre cria a própria senha.',
    'You get a link to send to them. Whoever opens it sets their own password.',
    'Recibe un enlace para enviárselo. Quien lo abre crea su propia contraseña.',
  ],
  inviteDo: ['Criar convite', 'Create invitation', 'Crear invitación'],
  link: ['link do convite', 'invitation link', 'enlace de la invitación'],
  linkTitle: ['O convite está pronto', 'The invitation is ready', 'La invitación está lista'],
  linkLead: (email: string, until: string) => [
    `Envie este link a ${email} por um canal seguro. Ele vale uma vez, até ${until}.`,
    `Send this link to ${email} through a safe channel. It works once, until ${until}.`,
    `Envíe este enlace a ${email} por un medio seguro. Vale una vez, hasta ${until}.`,
  ],
  invitations: ['Convites em aberto', 'Pending invitations', 'Invitaciones pendientes'],
  ends: ['Vale até', 'Valid until', 'Vale hasta'],
  withdraw: ['Cancelar convite', 'Cancel invitation', 'Cancelar invitación'],
  withdrawTitle: (email: string) => [
    `Cancelar o convite de ${email}?`,
    `Cancel the invitation of ${email}?`,
    `¿Cancelar la invitación de ${email}?`,
  ],
  withdrawLead: [
    'O link deixa de valer na hora.',
    'The link stops working at once.',
    'El enlace deja de valer al instante.',
  ],
  withdrawn: ['Convite cancelado.', 'Invitation canceled.', 'Invitación cancelada.'],
  change: ['Mudar função', 'Change role', 'Cambiar rol'],
  changeTitle: (name: string) => [`Função de ${name}`, `Role of ${name}`, `Rol de ${name}`],
  changeLead: [
    'Vale no próximo clique da pessoa.',
    'It takes effect with the person’s next click.',
    'Vale con el próximo clic de la persona.',
  ],
  changed: ['Função alterada.', 'Role changed.', 'Rol cambiado.'],
  removeTitle: (name: string) => [
    `Remover ${name} desta conta?`,
    `Remove ${name} from this account?`,
    `¿Quitar a ${name} de esta cuenta?`,
  ],
  removeLead: [
    'A pessoa perde o acesso na hora.',
    'The person loses access at once.',
    'La persona pierde el acceso al instante.',
  ],
  keysTitle: commonWords.apiKeys,
  keysLead: [
    'Estas chaves de API são desta pessoa:',
    'These API keys are theirs:',
    'Estas claves de API son de esta persona:',
  ],
  keysWider: [
    'Estas chaves de API podem mais que a nova função:',
    'These API keys can do more than the new role:',
    'Estas claves de API pueden más que el nuevo rol:',
  ],
  keysFate: ['O que acontece com elas', 'What happens to them', 'Qué pasa con ellas'],
  keysRevoke: [
    'Revogar: deixam de valer na hora',
    'Revoke: they stop working at once',
    'Revocar: dejan de valer al instante',
  ],
  keysHand: (name: string) => [`Passam a ser de ${name}`, `They pass to ${name}`, `Pasan a ser de ${name}`],
  removed: ['Pessoa removida.', 'The person was removed.', 'Se quitó a la persona.'],
  leave: ['Sair da conta', 'Leave the account', 'Salir de la cuenta'],
  leaveTitle: ['Sair desta conta?', 'Leave this account?', '¿Salir de esta cuenta?'],
  leaveLead: [
    'Você perde o acesso na hora. Para voltar, precisa de um novo convite.',
    'You lose access right away. To come back you need a new invitation.',
    'Usted pierde el acceso al instante. Para volver necesita una nueva invitación.',
  ],
  actions: (name: string) => [`Ações para ${name}`, `Actions for ${name}`, `Acciones para ${name}`],
  roleHelp: {
    OWNER: [
      'Pode tudo, e nomeia outros proprietários.',
      'Everything, including appointing owners.',
      'Puede todo, y nombra a otros propietarios.',
    ],
    ADMIN: [
      'Pode tudo, menos nomear proprietários.',
      'Everything except appointing owners.',
      'Puede todo, menos nombrar propietarios.',
    ],
    DEVELOPER: [
      'Pagamentos, modelos, chaves, webhooks e testes. Vê saldos, mas não saca.',
      'Payments, templates, keys, webhooks and tests. Can view balances, cannot withdraw.',
      'Pagos, plantillas, claves, webhooks y pruebas. Ve saldos, pero no retira.',
    ],
    FINANCE: [
      'Pagamentos, reembolsos, carteiras e saques, inclusive aprovações. Sem chaves nem webhooks.',
      'Payments, refunds, wallets and withdrawals, including approvals. No keys, no webhooks.',
      'Pagos, reembolsos, billeteras y retiros, incluso aprobaciones. Sin claves ni webhooks.',
    ],
    SUPPORT: [
      'Ajuda clientes: pagamentos, reembolsos e entregas. Não vê saldos.',
      'Helps customers: payments, refunds and deliveries. Cannot view balances.',
      'Ayuda a clientes: pagos, reembolsos y entregas. No ve saldos.',
    ],
    VIEWER: [
      'Só pode ver: pagamentos, saldos, saques e auditoria. Não muda nada.',
      'Read only: payments, balances, withdrawals and the audit log.',
      'Solo puede ver: pagos, saldos, retiros y auditoría. No cambia nada.',
    ],
  },
  none: ['Só você, por enquanto', 'Only you so far', 'Solo usted, por ahora'],
})
