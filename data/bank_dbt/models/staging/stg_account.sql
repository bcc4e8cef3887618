{{ union_all(['stg_account__eu_old', 'stg_account__eu', 'stg_account__us', 'stg_account__apac']) }}
