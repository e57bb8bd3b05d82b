terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 6.29.0"
    }
  }
}

resource "aws_dynamodb_table" "counters" {
  name                        = "Counters"
  billing_mode                = "PROVISIONED"
  read_capacity               = 5
  write_capacity              = 2
  hash_key                    = "id"
  deletion_protection_enabled = false
  stream_enabled              = true
  stream_view_type            = "KEYS_ONLY"

  attribute {
    name = "id"
    type = "S"
  }

  attribute {
    name = "owner"
    type = "S"
  }

  point_in_time_recovery {
    enabled = false
  }

  global_secondary_index {
    name            = "byOwner"
    read_capacity   = 5
    write_capacity  = 2
    projection_type = "ALL"

    key_schema {
      attribute_name = "owner"
      key_type       = "HASH"
    }
    key_schema {
      attribute_name = "id"
      key_type       = "RANGE"
    }
  }

  lifecycle {
    prevent_destroy = true
  }
}
