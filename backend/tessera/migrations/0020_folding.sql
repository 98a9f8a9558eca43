-- Comparing and sorting without regard to case, diacritics and spelling variants. The folded form is
-- compared by code point (COLLATE "C"), so that every installation sorts in the same way, with or
-- without ICU, and an update of the operating system's collations breaks no index.

-- Removes the marks above and below Latin and Arabic letters, tatweel and invisible direction marks.
CREATE FUNCTION strip_marks(value text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN regexp_replace(lower(normalize(value, NFKD)),
    U&'[\0300-\036F\0610-\061A\0640\064B-\065F\0670\06D6-\06DC\06DF-\06E8\06EA-\06ED\200B-\200F\061C\2066-\2069]',
    '', 'g');

-- One spelling for letters that differ by a mark but do not decompose, digits, quotes and hyphens.
CREATE FUNCTION unify_letters(value text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN replace(replace(replace(replace(translate(value,
    'ıøłđðħŧςٱةىکی٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹’‘ʼ‐–—',
    'iolddhtσاهيكي01234567890123456789''''''---'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');

-- The first two cases only save time: most texts are ASCII, and translating is slow. Not STRICT,
-- because PostgreSQL does not inline a strict function whose body is a CASE.
CREATE OR REPLACE FUNCTION fold_text(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN octet_length(value) = length(value) THEN lower(value COLLATE "C")
    WHEN value !~ U&'[ıøłđðħŧςßæœþØŁĐÐĦŦẞÆŒÞٱةىکی٠-٩۰-۹’‘ʼ‐–—\FB50-\FDFF\FE70-\FEFF]'
        THEN strip_marks(value)
    ELSE unify_letters(strip_marks(value)) END;

ALTER TABLE companies
    DROP COLUMN name_folded,
    DROP COLUMN email_folded,
    DROP COLUMN search_text,
    ADD COLUMN name_folded text COLLATE "C" NOT NULL
        GENERATED ALWAYS AS (fold_text(name)) STORED,
    ADD COLUMN email_folded text COLLATE "C" NOT NULL
        GENERATED ALWAYS AS (fold_text(email)) STORED,
    ADD COLUMN search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(
        name || chr(10) || email || chr(10) || phone_number || chr(10) || address_line1 || ' '
        || address_line2 || ' ' || city || ' ' || state || ' ' || zip_code)) STORED;
CREATE INDEX companies_by_name ON companies (name_folded, id);
CREATE INDEX companies_by_email ON companies (email_folded, id);
CREATE INDEX companies_by_trigram ON companies USING gin (trigrams(search_text));

ALTER TABLE users
    DROP COLUMN first_name_folded,
    DROP COLUMN last_name_folded,
    DROP COLUMN email_sorted,
    DROP COLUMN search_text,
    ADD COLUMN first_name_folded text COLLATE "C" NOT NULL
        GENERATED ALWAYS AS (fold_text(first_name)) STORED,
    ADD COLUMN last_name_folded text COLLATE "C" NOT NULL
        GENERATED ALWAYS AS (fold_text(last_name)) STORED,
    ADD COLUMN email_sorted text COLLATE "C" NOT NULL
        GENERATED ALWAYS AS (fold_text(email)) STORED,
    ADD COLUMN search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(
        first_name || ' ' || last_name || chr(10) || email || chr(10) || phone_number)) STORED;
CREATE INDEX users_by_first_name ON users (company_id, first_name_folded, id);
CREATE INDEX users_by_last_name ON users (company_id, last_name_folded, id);
CREATE INDEX users_by_email ON users (company_id, email_sorted, id);
CREATE INDEX users_by_trigram ON users USING gin (trigrams(search_text));

ALTER TABLE invites
    DROP COLUMN email_sorted,
    ADD COLUMN email_sorted text COLLATE "C" NOT NULL
        GENERATED ALWAYS AS (fold_text(email)) STORED;
CREATE INDEX invites_by_email ON invites (company_id, email_sorted, id) WHERE state = 'open';
CREATE INDEX invites_by_trigram ON invites USING gin (trigrams(email_sorted)) WHERE state = 'open';

ALTER TABLE activity
    DROP COLUMN search_text,
    ADD COLUMN search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(
        actor_name || chr(10) || action || chr(10) || target || chr(10) || origin)) STORED;
CREATE INDEX activity_by_trigram ON activity USING gin (trigrams(search_text));

ALTER TABLE warehouses
    DROP COLUMN search_text,
    ADD COLUMN search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(
        COALESCE(nick_name, '') || chr(10) || path || chr(10) || CASE type
            WHEN 1 THEN 'Dropbox' WHEN 3 THEN 'AWS S3' WHEN 4 THEN 'Azure' ELSE 'Google Cloud'
        END)) STORED;
