import type { Entries } from '#/kernel/dictionary.ts'

/** What the roles of members are called, to merchants and to operators. */
export const roleNames = {
  OWNER: ['Proprietário', 'Owner', 'Propietario'],
  ADMIN: ['Administrador', 'Administrator', 'Administrador'],
  DEVELOPER: ['Desenvolvedor', 'Developer', 'Desarrollador'],
  FINANCE: ['Financeiro', 'Finance', 'Finanzas'],
  SUPPORT: ['Suporte', 'Support', 'Soporte'],
  VIEWER: ['Visualizador', 'Viewer', 'Lector'],
} as const satisfies Entries
