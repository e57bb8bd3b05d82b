terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 6.29.0"
    }
  }
}

resource "aws_dynamodb_table" "every_thing" {
  name                        = "every-thing"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = "pk"
  range_key                   = "sk"
  deletion_protection_enabled = true
  table_class                 = "STANDARD_INFREQUENT_ACCESS"
  stream_enabled              = true
  stream_view_type            = "NEW_AND_OLD_IMAGES"

  tags = {
    team          = "content"
    "cost center" = "$${a} \"b\""
  }

  attribute {
    name = "pk"
    type = "S"
  }

  attribute {
    name = "sk"
    type = "S"
  }

  attribute {
    name = "gsi1pk"
    type = "S"
  }

  attribute {
    name = "gsi1sk"
    type = "S"
  }

  attribute {
    name = "tournamentId"
    type = "S"
  }

  attribute {
    name = "region"
    type = "S"
  }

  attribute {
    name = "round"
    type = "S"
  }

  attribute {
    name = "score"
    type = "N"
  }

  attribute {
    name = "tag"
    type = "S"
  }

  attribute {
    name = "lsi1sk"
    type = "N"
  }

  ttl {
    attribute_name = "expiresAt"
    enabled        = true
  }

  on_demand_throughput {
    max_read_request_units  = 4000
    max_write_request_units = 1000
  }

  warm_throughput {
    read_units_per_second  = 15000
    write_units_per_second = 5000
  }

  point_in_time_recovery {
    enabled                 = true
    recovery_period_in_days = 14
  }

  server_side_encryption {
    enabled     = true
    kms_key_arn = "arn:aws:kms:eu-west-1:123456789012:key/0c0ffee0-1234-4abc-8def-000000000001"
  }

  global_secondary_index {
    name               = "gsi1"
    projection_type    = "INCLUDE"
    non_key_attributes = ["_type", "title", "expiresAt"]

    key_schema {
      attribute_name = "gsi1pk"
      key_type       = "HASH"
    }
    key_schema {
      attribute_name = "gsi1sk"
      key_type       = "RANGE"
    }

    on_demand_throughput {
      max_read_request_units  = 500
      max_write_request_units = 200
    }
  }

  global_secondary_index {
    name            = "byTournament"
    projection_type = "ALL"

    key_schema {
      attribute_name = "tournamentId"
      key_type       = "HASH"
    }
    key_schema {
      attribute_name = "region"
      key_type       = "HASH"
    }
    key_schema {
      attribute_name = "round"
      key_type       = "RANGE"
    }
    key_schema {
      attribute_name = "score"
      key_type       = "RANGE"
    }
  }

  global_secondary_index {
    name            = "byTag"
    projection_type = "KEYS_ONLY"

    key_schema {
      attribute_name = "tag"
      key_type       = "HASH"
    }

    warm_throughput {
      read_units_per_second  = 13000
      write_units_per_second = 4500
    }
  }

  local_secondary_index {
    name            = "lsi1"
    range_key       = "lsi1sk"
    projection_type = "KEYS_ONLY"
  }

  lifecycle {
    prevent_destroy = true
  }
}
