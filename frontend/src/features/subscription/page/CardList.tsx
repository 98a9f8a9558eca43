import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { DefaultCheck } from '@/components/forms/DefaultCheck'
import { setDefaultCard, type Card, type Payment } from '../api'
import { usePaymentChange } from '../use-payment-change'
import { BrandLogo, brandName } from './BrandLogo'
import styles from './page.module.css'

const PayDialog = lazy(() => import('../dialogs/PayDialog'))
const DeleteCardDialog = lazy(() => import('../dialogs/DeleteCardDialog'))

/** Why a card cannot be deleted, as a key of the texts. The server checks it too. */
function keptBecause(card: Card, { cards, defaultCardId, autoRenew, nextAmount }: Payment): string | null {
  if (cards.length > 1 && card.id === defaultCardId) return 'cards.defaultStays'
  if (cards.length > 1 || nextAmount === null) return null
  return autoRenew ? 'cards.lastStays' : 'cards.lastPays'
}

export function CardList({ payment }: { payment: Payment }) {
  const { t } = useTranslation('subscription')
  const choose = usePaymentChange(setDefaultCard, { done: 'toasts.defaultChanged', failed: 'toasts.defaultFailed' })
  const [deleting, setDeleting] = useState<Card | null>(null)
  const [paying, setPaying] = useState<Card | null>(null)
  if (payment.cards.length === 0) {
    return <p className={styles.none}>{t('cards.none')}</p>
  }
  const chosen = choose.isPending ? choose.wanted?.cardId : payment.defaultCardId
  const makeDefault = (card: Card) => {
    if (payment.amountDue > 0) setPaying(card)
    else void choose.mutate({ cardId: card.id, amount: null })
  }
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
              onDefault={() => makeDefault(card)}
              onDelete={() => setDeleting(card)}
            />
          )
        })}
      </ul>
      <Suspense fallback={null}>
        {deleting ? <DeleteCardDialog card={deleting} onClose={() => setDeleting(null)} /> : null}
        {paying ? <PayDialog payment={payment} card={paying} open onClose={() => setPaying(null)} /> : null}
      </Suspense>
    </>
  )
}

type Props = {
  card: Card
  isDefault: boolean
  choosing: boolean
  keptBecause: string | null
  onDefault: () => void
  onDelete: () => void
}

function CardRow({ card, isDefault, choosing, keptBecause, onDefault, onDelete }: Props) {
  const { t } = useTranslation('subscription')
  const name = { brand: brandName(card.brand) ?? t('cards.card'), last4: card.last4 }
  return (
    <li className={styles.cardRow}>
      <BrandLogo brand={card.brand} fallback={t('cards.card')} />
      <div className={styles.digits}>
        <span className="t-hidden">{t('cards.endsWith', name)}</span>
        <bdi dir="ltr" aria-hidden>
          •••• •••• •••• {card.last4}
        </bdi>
        <span className={styles.soft}>
          {t('cards.expires')} <bdi dir="ltr">{`${String(card.expMonth).padStart(2, '0')}/${card.expYear}`}</bdi>
        </span>
      </div>
      <DefaultCheck
        label={t('cards.setDefault')}
        fullLabel={t('cards.setDefaultOf', name)}
        checked={isDefault}
        disabled={isDefault || choosing}
        title={isDefault ? t('cards.isDefault') : undefined}
        onChoose={onDefault}
      />
      <Button
        variant="text"
        danger
        disabledReason={keptBecause}
        aria-label={t('cards.deleteOf', name)}
        onClick={onDelete}
      >
        {t('cards.delete')}
      </Button>
    </li>
  )
}
