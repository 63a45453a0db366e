import { commonWords } from '#/kernel/common-words.ts'
import { dictionary } from './dictionary.ts'

/** The frame around all screens. */
export const frameWords = dictionary({
  skip: ['Ir para o conteúdo', 'Skip to content', 'Ir al contenido'],
  navigation: ['Navegação', 'Navigation', 'Navegación'],
  nav: {
    overview: ['Visão geral', 'Overview', 'Resumen'],
    payments: commonWords.payments,
    link: ['Links de pagamento', 'Payment links', 'Enlaces de pago'],
    wallets: commonWords.wallets,
    subaccounts: commonWords.subAccounts,
    withdrawals: commonWords.withdrawals,
    refunds: commonWords.refunds,
    disputes: commonWords.disputes,
    reports: ['Relatórios', 'Reports', 'Informes'],
    templates: ['Modelos', 'Templates', 'Plantillas'],
    developers: ['Desenvolvedores', 'Developers', 'Desarrolladores'],
    settings: ['Configurações', 'Settings', 'Ajustes'],
    operator: commonWords.operator,
  },
  operatorArea: commonWords.operator,
  open: ['Abrir navegação', 'Open navigation', 'Abrir la navegación'],
  search: ['Buscar', 'Search', 'Buscar'],
  switchTo: ['Trocar de conta', 'Switch account', 'Cambiar de cuenta'],
  merchants: ['Contas', 'Accounts', 'Cuentas'],
  modeSwitch: ['Modo', 'Mode', 'Modo'],
  sandbox: ['Sandbox: nenhum dinheiro real', 'Sandbox: no real money', 'Sandbox: sin dinero real'],
  account: ['Sua conta', 'Your account', 'Su cuenta'],
  theme: ['Aparência', 'Appearance', 'Apariencia'],
  light: ['Clara', 'Light', 'Clara'],
  dark: ['Escura', 'Dark', 'Oscura'],
  system: ['A do sistema', 'System', 'La del sistema'],
  signOut: ['Sair', 'Sign out', 'Salir'],
  notFound: ['Esta página não existe', 'This page does not exist', 'Esta página no existe'],
  notFoundLead: [
    'O endereço pode estar incompleto, ou o registro pode ser de outra conta.',
    'The address may be incomplete, or the record may belong to another account.',
    'La dirección puede estar incompleta, o el registro puede ser de otra cuenta.',
  ],
  home: ['Ir para o início', 'Go to home', 'Ir al inicio'],
  noMerchant: [
    'Você ainda não faz parte de nenhuma conta',
    'You are not a member of any account yet',
    'Usted aún no forma parte de ninguna cuenta',
  ],
  noMerchantLead: [
    'Peça a quem administra a conta que envie um convite para o seu e-mail.',
    'Ask an administrator of the account to invite your email address.',
    'Pida a quien administra la cuenta que envíe una invitación a su correo.',
  ],
  notAllowed: [
    'Sua função não dá acesso a esta página',
    'Your role does not have access to this page',
    'Su rol no tiene acceso a esta página',
  ],
  notAllowedLead: [
    'Se precisar dela, peça a um administrador da conta.',
    'If you need it, ask an administrator of the account.',
    'Si la necesita, pida acceso a un administrador de la cuenta.',
  ],
  broken: ['Esta página falhou', 'This page failed to load', 'Esta página falló'],
})
