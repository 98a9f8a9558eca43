import type { ReactNode } from 'react'
import styles from './page.module.css'

const names: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** Null for brands whose name is not known here. */
export function brandName(brand: string): string | null {
  return names[brand.toLowerCase()] ?? null
}

const word = { fontFamily: 'Arial, sans-serif', textAnchor: 'middle' } as const

const drawings: Record<string, ReactNode> = {
  visa: (
    <>
      <rect width="48" height="32" rx="5" fill="#1a1f71" />
      <text x="24" y="21.5" {...word} fontSize="14" fontWeight="800" fontStyle="italic" fill="#fff">
        VISA
      </text>
    </>
  ),
  mastercard: (
    <>
      <rect width="48" height="32" rx="5" fill="#16182c" />
      <circle cx="19.5" cy="16" r="9" fill="#eb001b" />
      <circle cx="28.5" cy="16" r="9" fill="#f79e1b" />
      <path d="M24 8.2a9 9 0 0 1 0 15.6 9 9 0 0 1 0-15.6z" fill="#ff5f00" />
    </>
  ),
  amex: (
    <>
      <rect width="48" height="32" rx="5" fill="#016fd0" />
      <text x="24" y="20.5" {...word} fontSize="11" fontWeight="800" letterSpacing="0.4" fill="#fff">
        AMEX
      </text>
    </>
  ),
  discover: (
    <>
      <rect width="48" height="32" rx="5" fill="#fff" stroke="#c9cfdd" />
      <path d="M48 18v9a5 5 0 0 1-5 5H16c15-2 26-7 32-14z" fill="#f58220" />
      <text x="24" y="17" {...word} fontSize="8.2" fontWeight="700" fill="#14203b">
        DISCOVER
      </text>
    </>
  ),
}

const anyCard = (
  <>
    <rect x="0.5" y="0.5" width="47" height="31" rx="5" fill="var(--t-primary-soft)" stroke="var(--t-line)" />
    <path d="M0 9h48v5H0z" fill="var(--t-ink-soft)" />
    <path d="M7 22h12M7 25.5h7" stroke="var(--t-ink-soft)" strokeWidth="2" strokeLinecap="round" />
  </>
)

/** Our own drawings, included in the bundle: nothing is loaded from card companies. */
export function BrandLogo({ brand, fallback }: { brand: string; fallback: string }) {
  return (
    <svg className={styles.logo} viewBox="0 0 48 32" role="img" aria-label={brandName(brand) ?? fallback}>
      {drawings[brand.toLowerCase()] ?? anyCard}
    </svg>
  )
}
