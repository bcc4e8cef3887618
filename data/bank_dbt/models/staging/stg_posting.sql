{{ union_all(['stg_posting__eu_old', 'stg_posting__eu', 'stg_posting__us', 'stg_posting__card', 'stg_posting__securities']) }}
