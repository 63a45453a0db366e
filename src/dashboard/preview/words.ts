// The texts of previews that are not the page's own: what the example payment is for, and what is wrong with a draft.
import { dictionary } from '#/kernel/dictionary.ts'

export const previewWords = dictionary({
  description: ['Pedido 2041', 'Order 2041', 'Pedido 2041'],
  coffee: ['Café em grãos, 1 kg', 'Coffee beans, 1 kg', 'Café en grano, 1 kg'],
  delivery: ['Entrega', 'Delivery', 'Envío'],
  /** In the place of the provider's card form, which only a real payment opens. */
  cardForm: [
    'Aqui aparece o formulário de cartão do provedor.',
    'The provider’s card form appears here.',
    'Aquí aparece el formulario de tarjeta del proveedor.',
  ],
  faults: {
    title: [
      'Este rascunho ainda não pode ser exibido',
      'This draft cannot be shown yet',
      'Este borrador aún no se puede mostrar',
    ],
    lead: [
      'Corrija estes campos, e a página aparece:',
      'Correct these fields, and the page appears:',
      'Corrija estos campos y aparecerá la página:',
    ],
  },
})
