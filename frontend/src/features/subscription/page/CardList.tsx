import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setDefaultCard, type Card, type Payment } from '../api'
import { usePaymentChange } from '../use-payment-change'
import { CardRow } from './CardRow'
import styles from './page.module.css'

const DeleteCardDialog = lazy(() => import('../dialogs/DeleteCardDialog'))

/** Why a card has to stay, as a key of the texts. The server has the last word. */
function keptBecause(card: Card, { cards, defaultCardId, autoRenew }: Payment): string | null {
  if (cards.length > 1 && card.id === defaultCardId) return 'cards.defaultStays'
  return cards.length === 1 && autoRenew ? 'cards.lastStays' : null
}

export function CardList({ payment }: { payment: Payment }) {
  const { t } = useTranslation('subscription')
  const choose = usePaymentChange(setDefaultCard, { done: 'toasts.defaultChanged', failed: 'toasts.defaultFailed' })
  const [deleting, setDeleting] = useState<Card | null>(null)
  if (payment.cards.length === 0) {
    return <p className={styles.none}>{t('cards.none')}</p>
  }
  const chosen = choose.isPending ? choose.variables : payment.defaultCardId
  return (
    <>
      <ul className={styles.cards} aria-label={t('cards.label')}>
        {payment.cards.map((card) => {
          const reason = keptBecause(card, payment)
          return (
            <CardRow
              key={card.id}
              card={card}
              isDefault={card.id === chosen}
              choosing={choose.isPending}
              keptBecause={reason && t(reason)}
              onDefault={() => choose.mutate(card.id)}
              onDelete={() => setDeleting(card)}
            />
          )
        })}
      </ul>
      <Suspense fallback={null}>
        {deleting ? <DeleteCardDialog card={deleting} onClose={() => setDeleting(null)} /> : null}
      </Suspense>
    </>
  )
}
