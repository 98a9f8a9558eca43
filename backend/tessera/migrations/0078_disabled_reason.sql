-- Why a platform admin disabled the company, for its members. Empty while it is enabled.
ALTER TABLE companies ADD COLUMN disabled_reason text NOT NULL DEFAULT '';
