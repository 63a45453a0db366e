// The texts of previews that are not the page's own: what the example payment is for, and what is wrong with a draft.
import type { Locale } from '#/kernel/language.ts'

type PreviewWords = {
  readonly description: string
  readonly items: readonly [string, string]
  /** In the place of the provider's card form, which only a real payment opens. */
  readonly cardForm: string
  readonly faults: { readonly title: string; readonly lead: string }
}

export const previewWords: Readonly<Record<Locale, PreviewWords>> = {
  'pt-BR': {
    description: 'Pedido 2041',
    items: ['Café em grãos, 1 kg', 'Entrega'],
    cardForm: 'Aqui aparece o formulário de cartão do provedor.',
    faults: {
      title: 'Este rascunho ainda não pode ser exibido',
      lead: 'Corrija estes campos, e a página aparece:',
    },
  },
  en: {
    description: 'Order 2041',
    items: ['Coffee beans, 1 kg', 'Delivery'],
    cardForm: 'The provider’s card form appears here.',
    faults: {
      title: 'This draft cannot be shown yet',
      lead: 'Correct these fields, and the page appears:',
    },
  },
  es: {
    description: 'Pedido 2041',
    items: ['Café en grano, 1 kg', 'Envío'],
    cardForm: 'Aquí aparece el formulario de tarjeta del proveedor.',
    faults: {
      title: 'Este borrador aún no se puede mostrar',
      lead: 'Corrija estos campos y aparecerá la página:',
    },
  },
}
