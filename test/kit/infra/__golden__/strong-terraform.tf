terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 6.29.0"
    }
  }
}

resource "aws_dynamodb_table" "notes" {
  name                        = "Notes"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = "pk"
  deletion_protection_enabled = true

  attribute {
    name = "pk"
    type = "S"
  }

  attribute {
    name = "name"
    type = "S"
  }

  point_in_time_recovery {
    enabled = true
  }

  replica {
    region_name                 = "eu-central-1"
    consistency_mode            = "STRONG"
    point_in_time_recovery      = true
    deletion_protection_enabled = true
  }

  global_table_witness {
    region_name = "eu-west-2"
  }

  global_secondary_index {
    name            = "byName"
    projection_type = "ALL"

    key_schema {
      attribute_name = "name"
      key_type       = "HASH"
    }
  }

  lifecycle {
    prevent_destroy = true
  }
}
